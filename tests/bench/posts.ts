/**
 * `GET /2/posts` with 100 ids, all public fields and all expansions over a seeded platform, against a bare server that makes
 * the same reads of the same file and writes the same bytes.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stringifyJson } from '@broadside/core';
import { MediaObject } from '@broadside/core/resources/media';
import { Place, Poll, Post, postExpansionNames } from '@broadside/core/resources/posts';
import { UserObject } from '@broadside/core/resources/users';
import Database from 'libsql';
import type { BenchRow } from './bench-row.ts';
import { bodyOf, once } from './load.ts';
import { seededOnce } from './prepared.ts';
import { memoryMb, type Processes } from './processes.ts';
import { measureRounds } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { type Credentials, wire } from './wire.ts';

const IDS = 100;
/** Fields without those that only the author sees, each of which would cause a problem. */
const PRIVATE: readonly string[] = ['non_public_metrics', 'organic_metrics', 'promoted_metrics'];

/** Seeds a platform and measures it. */
export function measurePosts(run: Run): Promise<readonly BenchRow[]> {
  return inDirectory(run, (directory, processes) => measure(run, directory, processes));
}

/** Waits for the index of audiences, which a server builds after its start: until then it takes time and memory of its own. */
export async function indexed(held: Credentials): Promise<void> {
  const answer = await once(
    Number(new URL(held.ads_base_url).port),
    await wire(held, {
      method: 'POST',
      target: `/12/accounts/${held.account_id}/audience_estimate`,
      json: stringifyJson({ targeting_criteria: [{ targeting_type: 'BROAD_KEYWORD', targeting_value: 'rain' }] }),
    }),
  );
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`no audience was estimated: ${answer}`);
}

async function measure(run: Run, directory: string, processes: Processes): Promise<BenchRow[]> {
  const { posts } = run.amounts;
  const seeded_per_second = posts / seededOnce(directory, { posts, users: Math.ceil(posts / 10) });
  const ids = idsOf(directory);
  const { child } = await processes.startServer(run.server, directory);
  const { port, base, bearer, held } = reached(directory);
  await indexed(held);
  const bare = await processes.startBare('bare-posts-server.ts', [path.join(directory, 'platform.db'), base]);
  const lookups = lookupsOf(ids);
  const requests = (count: number) => Array.from({ length: count }, () => bearerWire(lookups(), port, bearer));
  const [first] = requests(1);
  if (!first) throw new TypeError('there are no posts');
  await compare(first, port, bare.port);
  const before = memoryMb(child, 'now');
  const subject = {
    name: 'lookup of 100 posts, all fields and expansions',
    aim: 1.2,
    warmup: 200,
    requests,
  };
  const row = await measureRounds(subject, { ours: { child, port }, other: bare }, run.effort);
  const memory = [before, memoryMb(child, 'now')].map((mb) => mb.toFixed(0)).join(' to ');
  return [
    {
      ...row,
      notes: `over ${posts} posts; memory ${memory} MB; seeded ${seeded_per_second.toFixed(0)} posts a second`,
    },
  ];
}

/** Posts that anybody may see, spread over the whole store. */
export function idsOf(directory: string): readonly string[] {
  const db = new Database(path.join(directory, 'platform.db'), { readonly: true });
  db.defaultSafeIntegers(true);
  const rows: unknown = db
    .prepare(
      `SELECT posts.id FROM posts JOIN users ON users.id = CAST(posts.author_id AS TEXT)
         LEFT JOIN posts AS other ON other.id = coalesce(posts.reposted_id, posts.quoted_id, posts.replied_to_id)
         LEFT JOIN users AS owner ON owner.id = CAST(other.author_id AS TEXT)
       WHERE posts.deleted_ms IS NULL AND users.protected = 0 AND other.deleted_ms IS NULL AND coalesce(owner.protected, 0) = 0
         AND posts.id % 7 = 0 LIMIT 200000`,
    )
    .raw(true)
    .all();
  db.close();
  if (!Array.isArray(rows)) throw new TypeError('a statement gives rows');
  return rows.map((row: unknown) => String(Array.isArray(row) ? row[0] : row));
}

function reached(directory: string): { port: number; base: string; bearer: string; held: Credentials } {
  const held: Credentials & { base_url: string; bearer_token: string } = JSON.parse(
    readFileSync(path.join(directory, 'credentials.json'), 'utf8'),
  );
  return { port: Number(new URL(held.base_url).port), base: held.base_url, bearer: held.bearer_token, held };
}

/** Lookups of 100 posts with all that anybody may see of them, each of other posts than the one before. */
export function lookupsOf(ids: readonly string[]): () => string {
  const names = (schema: { readonly shape: object }) =>
    Object.keys(schema.shape).filter((name) => !PRIVATE.includes(name));
  const query = [
    `post.fields=${names(Post).join(',')}`,
    `user.fields=${names(UserObject).join(',')}`,
    `media.fields=${names(MediaObject).join(',')}`,
    `poll.fields=${names(Poll).join(',')}`,
    `place.fields=${names(Place).join(',')}`,
    `expansions=${postExpansionNames.join(',')}`,
  ].join('&');
  let next = 0;
  return () => {
    const wanted = Array.from({ length: IDS }, (_, i) => ids[(next + i * 7919) % ids.length]);
    next = (next + IDS * 7919) % ids.length;
    return `/2/posts?ids=${wanted.join(',')}&${query}`;
  };
}

/** A request with the bearer token of an app as it goes over the wire. */
export function bearerWire(target: string, port: number, bearer: string): Buffer {
  return Buffer.from(`GET ${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${bearer}\r\n\r\n`);
}

const around = (body: string, at: number) => body.slice(Math.max(0, at - 200), at + 300);

async function compare(request: Buffer, ours: number, bare: number): Promise<void> {
  const [a, b] = [bodyOf(await once(ours, request)), bodyOf(await once(bare, request))];
  if (a === b) return;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  throw new Error(`the servers answer differently:\n${around(a, at)}\n---\n${around(b, at)}`);
}
