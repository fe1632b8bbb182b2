/** What has to hold on a platform of several servers. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../apps/server/src/db/database.ts';
import { openDatabase } from '../../apps/server/src/db/open-database.ts';
import { checkWriter, everything } from '../crash/checks.ts';
import type { Client, Signed } from './client.ts';
import type { Load, Target } from './load.ts';
import { LIMIT, type Platform } from './platform.ts';

/** Due posts are published within this time, on a slow machine too. */
const PATIENCE_MS = 180_000;

/** Checks that a signed POST is accepted once, whichever servers it is sent to at the same moment. @throws AssertionError */
export async function checkReplay({ servers }: Platform, client: Client): Promise<void> {
  const signed = await client.sign({ method: 'POST', path: '/12/accounts' });
  const answers = await Promise.all(servers.map((server) => client.send(server, signed)));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...servers.slice(1).map(() => 401)], 'a request is accepted once');
}

/** Checks that a limit is exact when requests to all servers race. To be called once. @throws AssertionError */
export async function checkLimit({ servers }: Platform, client: Client): Promise<void> {
  const statuses = await Promise.all(
    Array.from({ length: LIMIT * 2 }, async (_, i) => {
      const server = servers[i % servers.length];
      assert(server);
      const path = '/12/targeting_criteria/app_store_categories';
      return (await client.send(server, await client.sign({ path }))).status;
    }),
  );
  assert.equal(statuses.filter((status) => status === 200).length, LIMIT, 'as many as the limit says');
  assert.equal(statuses.filter((status) => status === 429).length, LIMIT, 'and no more');
}

/** Checks that no server accepts again what one has accepted. @throws AssertionError */
export async function checkReplays({ servers }: Platform, client: Client, accepted: readonly Signed[]): Promise<void> {
  for (const signed of accepted) {
    for (const server of servers) {
      const { status, text } = await client.send(server, signed);
      // After a loss of what was remembered, a request of that time is refused.
      assert(status === 401 || status === 503, `${server.name} answered ${status} to a repetition: ${text}`);
    }
  }
}

/** Checks that all servers have everything that was acknowledged, and no half of anything else. @throws AssertionError */
export async function checkLoad(platform: Platform, client: Client, load: Load): Promise<number> {
  let total = 0;
  for (const target of load.targets) total += await checkTarget(platform, client, load, target);
  return total;
}

async function checkTarget(platform: Platform, client: Client, load: Load, target: Target): Promise<number> {
  const stored = await readOn(platform, client, target, 0);
  for (let i = 1; i < platform.servers.length; i++) {
    assert.deepEqual(await readOn(platform, client, target, i), stored, 'all servers answer alike');
  }
  let expected = 0;
  for (const { known, lost } of load.writers.filter((writer) => writer.target === target)) {
    checkWriter({ known, underWay: undefined }, stored);
    expected += known.size;
    for (const { intent, before } of lost) {
      const applied = checkWriter({ known: new Map(before), underWay: intent }, stored);
      expected += before.size + (applied === true ? intent.creates.length : 0);
    }
  }
  assert.equal(stored.size, expected, 'nothing is there twice, or that nobody asked for');
  return stored.size;
}

function readOn({ servers }: Platform, client: Client, { account_id, environment }: Target, index: number) {
  const server = servers[index];
  assert(server);
  return everything({ account_id, ok: (request) => client.ok(server, request, environment) });
}

/** Checks that servers give the bytes of what was uploaded. @throws AssertionError */
export async function checkUploads(
  { servers, platformStore }: Platform,
  client: Client,
  { uploaded }: Load,
): Promise<void> {
  const sql = `SELECT "id", "blob_key" FROM "media" WHERE "blob_key" IS NOT NULL`;
  const rows = await withDatabase(platformStore, (database) => database.query(sql));
  const keys = new Map(rows.map(([id, key]) => [id, key]));
  for (const [i, { id, bytes }] of uploaded.entries()) {
    const server = servers[i % servers.length];
    assert(server);
    const found = await client.send(
      server,
      await client.sign({ listener: 'api', path: `/media/${keys.get(BigInt(id))}` }),
    );
    assert.equal(found.status, 200, `${server.name} has ${id}`);
    assert(found.bytes.equals(bytes), `${server.name} has the bytes of ${id}`);
  }
}

/** Waits until all posts that were due are published, and checks that each was once. @throws AssertionError */
export function checkPublished({ platformStore }: Platform, expected: number): Promise<void> {
  const sql = `SELECT "text", count(*) FROM "posts" WHERE "text" LIKE 'Scheduled %' GROUP BY "text"`;
  const end = performance.now() + PATIENCE_MS;
  return withDatabase(platformStore, async (database) => {
    for (;;) {
      const posts = await database.query(sql);
      const twice = posts.filter(([, count]) => count !== 1n);
      assert.deepEqual(twice, [], 'each post is published once');
      if (posts.length === expected) return;
      assert(performance.now() < end, `${posts.length} of ${expected} posts are published`);
      await sleep(50);
    }
  });
}

/** Opens a store beside its servers, for some reads. */
async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
