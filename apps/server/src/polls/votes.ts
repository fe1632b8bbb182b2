/** Votes in polls: one for each person and poll, while the poll is open, of people who may see a post with it. */
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { PostRejectedError } from '../posts/new-post.ts';
import { type PostRow, readPosts } from '../posts/store.ts';
import { mustSee } from '../posts/visibility.ts';
import { polls, pollVotes } from './platform-table.ts';
import { type PollResults, pollNumber, readPolls } from './polls.ts';

/** A vote of a person on a post with a poll. Ids are decimal. */
export interface NewVote {
  readonly user_id: string;
  readonly post_id: string;
  /** The position of the choice, from 1. */
  readonly choice: number;
}

const insertVote = statement(getTableColumns(pollVotes), (vote) =>
  query.insert(pollVotes).values(vote).onConflictDoNothing(),
);

const findVote = statement({ poll_id: pollVotes.poll_id, user_id: pollVotes.user_id }, ({ poll_id, user_id }) =>
  query
    .select({ choice: pollVotes.choice })
    .from(pollVotes)
    .where(and(eq(pollVotes.poll_id, poll_id), eq(pollVotes.user_id, user_id)))
    .limit(1),
);

/** Returns whether a person has voted in a poll. */
export async function hasVoted(reader: Reader, poll_id: bigint, user_id: bigint): Promise<boolean> {
  return (await findVote.first(reader, { poll_id, user_id })) !== undefined;
}

function counter(column: SQLiteColumn) {
  const name = sql.identifier(column.name);
  return statement(
    { id: polls.id },
    ({ id }) => sql`UPDATE ${polls} SET ${name} = ${name} + 1 WHERE ${polls.id} = ${id}`,
    ({ id }) => `${id}`,
  );
}

const counters = [counter(polls.votes_1), counter(polls.votes_2), counter(polls.votes_3), counter(polls.votes_4)];

/**
 * Records a vote and counts it, in one transaction.
 * @param now_ms the time of the vote
 * @returns the number of the poll
 * @throws PostRejectedError for a post without a poll or not to be seen, a choice that the poll does not have, a poll that is
 * not open, and a second vote
 */
export async function castVote(writer: Writer, vote: NewVote, now_ms: number): Promise<bigint> {
  const user_id = BigInt(vote.user_id);
  const poll = await votable(writer, user_id, vote.post_id, now_ms);
  const { choice } = vote;
  if (!poll.choices.some(({ position }) => position === choice)) {
    const message = `The poll has the choices 1 to ${poll.choices.length}`;
    throw new PostRejectedError('choice', 'invalid', message);
  }
  const counted = await insertVote.run(writer, { poll_id: poll.id, user_id, choice, created_ms: now_ms });
  if (counted === 0) throw new PostRejectedError('user_id', 'already', 'This user has voted in this poll already');
  await counters[choice - 1]?.run(writer, { id: poll.id });
  return poll.id;
}

/** Names a vote in the change log. */
export function voteId(poll_id: bigint, user_id: bigint | string): string {
  return `${poll_id}/${user_id}`;
}

/** Records who had a vote cast. @param at the world's time, as a timestamp */
export async function recordVote(
  writer: Writer,
  actor: Actor,
  at: string,
  poll_id: bigint,
  { user_id, choice }: NewVote,
): Promise<void> {
  const id = voteId(poll_id, user_id);
  const after = { id, poll_id: `${poll_id}`, user_id, choice };
  await recordChange(writer, actor, at, { account_id: null, entity: 'VOTE', entity_id: id, before: undefined, after });
}

/** The poll of a post if a person may vote in it. */
async function votable(writer: Writer, user_id: bigint, post_id: string, now_ms: number): Promise<PollResults> {
  const post = await existing(writer, post_id);
  await mustSee(writer, 'post_id', post, user_id);
  const number = pollNumber(post);
  const [poll] = number === undefined ? [] : await readPolls(writer, [number], now_ms);
  if (!poll) throw new PostRejectedError('post_id', 'not_found', `The post ${post_id} has no poll`);
  if (poll.closed) throw notOpen(`The poll closed at ${new Date(poll.end_ms).toISOString()}`);
  if (now_ms < poll.start_ms) throw notOpen(`The poll opens at ${new Date(poll.start_ms).toISOString()}`);
  return poll;
}

/** The post, or the original of a repost: that is the one with the poll. */
async function existing(writer: Writer, post_id: string): Promise<PostRow> {
  const [post] = await readPosts(writer, [BigInt(post_id)]);
  if (!post || post.deleted) throw new PostRejectedError('post_id', 'not_found', `There is no post ${post_id}`);
  return post.reposted_id === null ? post : existing(writer, `${post.reposted_id}`);
}

function notOpen(message: string): PostRejectedError {
  return new PostRejectedError('post_id', 'not_allowed', message);
}
