/**
 * `GET /2/posts` with 100 ids, all public fields and all expansions over a seeded platform, against a bare server that makes
 * the same reads of the same file and writes the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringifyJson } from '@broadside/core';
import { MediaObject } from '@broadside/core/resources/media';
import { Place, Poll, Post, postExpansionNames } from '@broadside/core/resources/posts';
import { UserObject } from '@broadside/core/resources/users';
import Database from 'libsql';
import { bodyOf, type LoadResult, load, once } from './load.ts';
import { memoryMb, Processes } from './processes.ts';
import { type Credentials, wire } from './wire.ts';

/** Results of a run. */
export interface PostsRow {
  readonly posts: number;
  readonly ours: LoadResult;
  readonly bare: LoadResult;
  /** Requests a second of ours to those of the bare server. */
  readonly ratio: number;
  /** Posts seeded per second. */
  readonly seeded_per_second: number;
  /** Memory of the server, in MB: after the first round, and after the last. */
  readonly memory_mb: readonly [first: number, last: number];
}

/** Number of seeded records, duration and load of a run. */
export interface PostsOptions {
  readonly posts: number;
  readonly users: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** The main file of the built server. */
  readonly server: string;
}

const IDS = 100;
/** Fields without those that only the author sees, each of which would cause a problem. */
const PRIVATE: readonly string[] = ['non_public_metrics', 'organic_metrics', 'promoted_metrics'];

/** Seeds a platform and measures it. */
export async function measurePosts(options: PostsOptions): Promise<PostsRow> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-posts-'));
  const processes = new Processes();
  try {
    return await measure(options, directory, processes);
  } finally {
    processes.kill();
    rmSync(directory, { recursive: true, force: true });
  }
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

async function measure(options: PostsOptions, directory: string, processes: Processes): Promise<PostsRow> {
  const { posts, users, seconds, rounds, connections, server } = options;
  const seeded_per_second = posts / seedPosts(directory, { posts, users });
  const ids = idsOf(directory);
  const { child } = await processes.startServer(server, directory);
  const { port, base, bearer, held } = reached(directory);
  await indexed(held);
  const bare = await processes.startBare('bare-posts-server.ts', [path.join(directory, 'platform.db'), base]);
  const lookups = lookupsOf(ids);
  const wires = () => bearerWire(lookups(), port, bearer);
  await compare(wires(), port, bare.port);

  const run = (to: number, count: number) => load(to, Array.from({ length: count }, wires), connections);
  const { per_second } = await run(port, 200);
  await run(bare.port, 200);
  const results: { ours: LoadResult; bare: LoadResult }[] = [];
  let first = 0;
  for (let round = 0; round < rounds; round++) {
    const count = Math.max(50, Math.ceil((per_second * seconds) / rounds));
    const result = { ours: await run(port, count), bare: await run(bare.port, count) };
    for (const { failures, failure } of [result.ours, result.bare]) {
      if (failures > 0) throw new Error(`${failures} lookups failed, one with ${failure}`);
    }
    results.push(result);
    if (round === 0) first = memoryMb(child, 'now');
  }
  results.sort((a, b) => a.ours.per_second / a.bare.per_second - b.ours.per_second / b.bare.per_second);
  const median = results[Math.floor(results.length / 2)];
  if (!median) throw new Error('a bench needs a round');
  const ratio = median.ours.per_second / median.bare.per_second;
  return { posts, ...median, ratio, seeded_per_second, memory_mb: [first, memoryMb(child, 'now')] };
}

/** Fills an empty data directory. @returns how many seconds it took */
export function seedPosts(
  directory: string,
  { posts, users }: { readonly posts: number; readonly users: number },
): number {
  const began = performance.now();
  const cli = ['--conditions=@broadside/source', 'apps/cli/src/main.ts', 'seed', '--quiet', '--seed', 'bench'];
  execFileSync(process.execPath, [...cli, '--users', `${users}`, '--posts', `${posts}`, '--data-dir', directory], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return (performance.now() - began) / 1000;
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
