/** Reads polls with their results, and records new ones. Many are read in one statement. */
import { sql } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { polls } from './platform-table.ts';

/** A poll as it is posted. */
export interface NewPoll {
  /** The number of its card's URI. */
  readonly id: bigint;
  /** Two to four texts, in their order. */
  readonly choices: readonly string[];
  readonly duration_minutes: number;
  /** People vote from this time of the world's clock on. */
  readonly start_ms: number;
  /** An image or a video that it shows. */
  readonly media_key: string | null;
}

/** A choice of a poll, with the number of people who have chosen it. */
interface PollChoice {
  /** From 1. */
  readonly position: number;
  readonly label: string;
  readonly votes: number;
}

/** A poll with its results. */
export interface PollResults extends Omit<NewPoll, 'choices'> {
  readonly choices: readonly PollChoice[];
  readonly end_ms: number;
  /** Nobody can vote any more. */
  readonly closed: boolean;
}

/** The columns that a poll is made with, and never changes. */
const made = {
  id: polls.id,
  choices: polls.choices,
  duration_minutes: polls.duration_minutes,
  start_ms: polls.start_ms,
  end_ms: polls.end_ms,
  media_key: polls.media_key,
};

const insertPoll = statement(
  made,
  (poll) => query.insert(polls).values(poll).onConflictDoNothing(),
  ({ id }) => `${id}`,
);

/** Records a poll in the write that makes a post with it. Posts with the same poll share its votes. */
export async function recordPoll(writer: Writer, { choices, ...poll }: NewPoll): Promise<void> {
  const end_ms = poll.start_ms + poll.duration_minutes * 60_000;
  await insertPoll.run(writer, { ...poll, choices: [...choices], end_ms });
}

const listPolls = statement({ ids: types.longs }, ({ ids }) =>
  rows(
    {
      ...made,
      votes: { 1: polls.votes_1, 2: polls.votes_2, 3: polls.votes_3, 4: polls.votes_4 },
    },
    (columns) =>
      sql`SELECT ${columns} FROM json_each(${ids}) AS wanted CROSS JOIN ${polls} ON ${polls.id} = CAST(wanted.value AS INTEGER)`,
  ),
);

/** A poll that was posted, with its results, which the time does not change. */
export type StoredPoll = Omit<PollResults, 'closed'>;

/** Returns the polls with these numbers that were posted, in no order. */
export function storedPolls(reader: Reader, numbers: readonly bigint[]): Awaitable<readonly StoredPoll[]> {
  if (numbers.length === 0) return [];
  return chain(listPolls.all(reader, { ids: [...numbers] }), (found) =>
    found.map(({ choices, votes, ...poll }) => {
      const counts = [votes[1], votes[2], votes[3], votes[4]];
      return { ...poll, choices: choices.map((label, at) => ({ position: at + 1, label, votes: counts[at] ?? 0 })) };
    }),
  );
}

/** The same, open or closed at a time. @param now_ms the time of the world's clock */
export async function readPolls(reader: Reader, numbers: readonly bigint[], now_ms: number): Promise<PollResults[]> {
  const found = await storedPolls(reader, numbers);
  return found.map((poll) => ({ ...poll, closed: isClosed(poll, now_ms) }));
}

/** Returns whether nobody can vote in a poll any more. */
export function isClosed({ end_ms }: Pick<PollResults, 'end_ms'>, now_ms: number): boolean {
  return now_ms >= end_ms;
}

const CARD = 'card://';

/** The card that a post shows. */
interface ShownCard {
  readonly card_uri: string | null;
  readonly card_type: string | null;
}

/** Returns the number of the poll that a post shows; `undefined` if it shows none. */
export function pollNumber({ card_uri, card_type }: ShownCard): bigint | undefined {
  if (card_uri === null || !card_type?.endsWith('_POLLS')) return undefined;
  return BigInt(card_uri.slice(CARD.length));
}
