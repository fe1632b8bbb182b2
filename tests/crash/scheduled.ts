/**
 * Scheduled posts while the server is killed: each is published once, and its record says so.
 *
 * Their times are whole minutes, at which few kills would happen. So posts are stored before a server starts whose time is over:
 * it publishes them from its start on, and is killed meanwhile. Beside them a writer schedules, changes and deletes posts over
 * HTTP for the next minutes, whose time may come in a later round. What is checked after a round is all posts of all rounds.
 */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { families, World } from '@broadside/server';
import Sqlite from 'libsql';
import { z } from 'zod';
import { idOf } from '../src/support/body.ts';
import type { Chance, Session } from './session.ts';

const SERVER = { user_id: null, platform: 'SERVER' } as const;
const MINUTE_MS = 60_000;
/** All texts begin so, and no two are the same. */
const PREFIX = 'Scheduled';
/** Posts that are due are published within this time, on a slow machine too. */
const PATIENCE_MS = 120_000;

const minuteAt = (ms: number) => `${new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 19)}Z`;

/**
 * Stores posts that are due already, each behind its job as a call does it. There are none where no account is yet: a start may have been
 * killed before it made its stores, or behind that before it made the demo.
 * @returns how many
 */
export async function storeDue(directory: string, count: number, tag: string): Promise<number> {
  if (!existsSync(path.join(directory, 'ads-sandbox.db'))) return 0;
  const world = await World.open({ dataDirectory: directory });
  try {
    return (await firstAccount(world)) ? await storeDueIn(world, count, tag) : 0;
  } finally {
    await world.close();
  }
}

/** An account of the sandbox; none where the demo was not made yet. */
async function firstAccount(world: World) {
  const everything = { count: 1, with_deleted: false, with_total_count: false };
  const [account] = (await world.ads.sandbox.list(null, everything)).data;
  return account;
}

/** The same in a world that is open, and has an account. */
export async function storeDueIn(world: World, count: number, tag: string): Promise<number> {
  const account = await firstAccount(world);
  assert(account);
  const store = world.ads.sandbox.account(account.id);
  const user_id = await families.promotable_users.fullPromotableUser(store);
  assert(user_id !== null);
  const scheduled_at = minuteAt(Date.now() - MINUTE_MS);
  const one = (text: string) => {
    const id = world.snowflakes.next();
    const name = { environment: 'sandbox', account_id: account.id, id } as const;
    const state = { scheduled_status: 'SCHEDULED', completed_at: null, post_id: null, failure: null } as const;
    const content = { text, name: null, card_uri: null, media_keys: [], nullcast: true };
    const row = { user_id, contributor_id: user_id, scheduled_at, ...content, ...state };
    return world.publications.schedule(name, Date.parse(scheduled_at), () =>
      store.write(SERVER, (writer) => writer.of(families.scheduled_posts.scheduledPost).insert(row, id)),
    );
  };
  await Promise.all(Array.from({ length: count }, (_, i) => one(`${PREFIX} ${tag} due ${i}`)));
  return count;
}

/** The posts that a writer knows. */
export interface SchedulingWriter {
  /** The last acknowledged text of each post, by id; null once its deletion was acknowledged. */
  readonly known: Map<string, string | null>;
  /** The post that the request without a response was about; `undefined` for a new one. */
  underWay: string | undefined;
  acknowledged: number;
}

/** Schedules, changes and deletes posts until the server has stopped. */
export async function schedulePosts(
  session: Session,
  writer: SchedulingWriter,
  tag: string,
  chance: Chance,
): Promise<void> {
  const { user_id } = session.server.credentials;
  const base = `/12/accounts/${session.account_id}/scheduled_posts`;
  for (let turn = 0; ; turn++) {
    const alive = [...writer.known].flatMap(([id, text]) => (text === null ? [] : [id]));
    const id = alive[Math.floor(chance() * alive.length * 2)];
    const roll = chance();
    const method = id === undefined ? 'POST' : roll < 0.8 ? 'PUT' : 'DELETE';
    const text = `${PREFIX} ${tag} ${turn}`;
    const scheduled_at = minuteAt(Date.now() + (1 + Math.floor(chance() * 2)) * MINUTE_MS);
    const query = {
      ...(method === 'POST' ? { as_user_id: user_id } : {}),
      ...(method === 'DELETE' ? {} : { text }),
      ...(method === 'POST' || roll < 0.4 ? { scheduled_at } : {}),
    };
    const request = await session.sign({ method, path: id === undefined ? base : `${base}/${id}`, query });
    writer.underWay = id;
    let answer: Awaited<ReturnType<Session['send']>>;
    try {
      answer = await session.send(request);
    } catch {
      return;
    }
    writer.underWay = undefined;
    // The window is full, or the time of the post has come.
    if (answer.status === 400 && /SCHEDULED_POST_LIMIT_EXCEEDED|INVALID_PARAMETER/.test(answer.text)) continue;
    assert.equal(answer.status, 200, answer.text);
    writer.acknowledged++;
    writer.known.set(idOf(answer.body), method === 'DELETE' ? null : text);
  }
}

const Row = z.object({
  id: z.string(),
  text: z.string(),
  scheduled_at: z.string(),
  scheduled_status: z.string(),
  post_id: z.string().nullable(),
});
type Row = z.output<typeof Row>;

/** Reads of a store beside the server. */
function reading<Result>(directory: string, store: string, read: (database: Sqlite.Database) => Result): Result {
  const database = new Sqlite(path.join(directory, `${store}.db`), { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

function rowsIn(directory: string): Row[] {
  const columns = '"id", "text", "scheduled_at", "scheduled_status", "post_id"';
  const statement = `SELECT ${columns} FROM "scheduled_posts"`;
  return reading(directory, 'ads-sandbox', (database) => z.array(Row).parse(database.prepare(statement).all()));
}

const isDue = ({ scheduled_status, scheduled_at }: Row) =>
  scheduled_status === 'SCHEDULED' && Date.parse(scheduled_at) <= Date.now();

/** The number of posts that are due and not published. */
export function countDue(directory: string): number {
  return rowsIn(directory).filter(isDue).length;
}

/** Waits until a running server has published what is due. */
export async function published(directory: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (countDue(directory) > 0) {
    assert(Date.now() < end, `${countDue(directory)} posts are due and not published`);
    await sleep(50);
  }
}

/** Checks all scheduled posts of a server that has ended, and what writers know of their own. @throws AssertionError */
export function checkScheduled(directory: string, writers: readonly SchedulingWriter[]): void {
  const rows = rowsIn(directory);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { known, underWay } of writers) {
    for (const [id, text] of known) {
      const row = byId.get(id);
      if (id === underWay) continue;
      if (text === null) assert.equal(row, undefined, `${id} is gone`);
      else assert.equal(row?.text, text, `${id} is as it was acknowledged`);
    }
  }
  const expected = new Map<string, string>();
  for (const { id, text, post_id, scheduled_status } of rows) {
    assert(scheduled_status === 'SUCCESS' || scheduled_status === 'SCHEDULED', `${id} is ${scheduled_status}`);
    assert.equal(post_id !== null, scheduled_status === 'SUCCESS', `${id} has a post when it was published`);
    if (post_id !== null) expected.set(post_id, text);
  }
  // A record can be deleted after its post was published.
  for (const { text, post_id } of deletedIn(directory)) if (post_id !== null) expected.set(post_id, text);
  assert.deepEqual([...postsIn(directory)].sort(), [...expected].sort(), 'each post was published once');
  for (const row of rows) {
    if (row.scheduled_status === 'SCHEDULED') assert(hasJob(directory, row), `${row.id} will be published`);
  }
}

const Deleted = z.object({ text: z.string(), post_id: z.string().nullable() });

function deletedIn(directory: string): z.output<typeof Deleted>[] {
  const statement = `SELECT "entity_data" ->> '$.text' AS "text", "entity_data" ->> '$.post_id' AS "post_id"
    FROM "change_log" WHERE "entity" = 'SCHEDULED_POST' AND "change_type" = 'DELETE'`;
  return reading(directory, 'ads-sandbox', (database) => z.array(Deleted).parse(database.prepare(statement).all()));
}

const Published = z.array(z.object({ id: z.string(), text: z.string() }));

function postsIn(directory: string): [id: string, text: string][] {
  const statement = `SELECT CAST("id" AS TEXT) AS "id", "text" FROM "posts" WHERE "text" LIKE '${PREFIX} %'`;
  return reading(directory, 'platform', (database) =>
    Published.parse(database.prepare(statement).all()).map(({ id, text }) => [id, text]),
  );
}

function hasJob(directory: string, { id, scheduled_at }: Row): boolean {
  const statement = `SELECT 1 FROM "jobs" WHERE "kind" = 'posts.publish' AND "subject" LIKE ? AND "due_ms" <= ?`;
  return reading(directory, 'platform', (database) =>
    Boolean(database.prepare(statement).get(`%/${id}`, Date.parse(scheduled_at))),
  );
}
