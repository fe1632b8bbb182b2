/** Pages of posts, as browsers ask for them: a preview, the page of a post, and a timeline. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'libsql';
import { bodyOf, type LoadResult, load, once } from './load.ts';
import { Processes, stop } from './processes.ts';
import { type Credentials, wire } from './wire.ts';

/** Results of one page. */
export interface PageRow {
  readonly name: string;
  readonly ours: LoadResult;
}

/** Duration and load of a run. */
export interface PagesOptions {
  readonly seconds: number;
  readonly connections: number;
  /** The main file of the built server. */
  readonly server: string;
}

/** More posts than a page of a timeline shows. */
const POSTS = 1000;

/** Posts something and measures its pages. */
export async function measurePages(options: PagesOptions): Promise<readonly PageRow[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-pages-'));
  const processes = new Processes();
  try {
    return await measure(options, directory, processes);
  } finally {
    processes.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  { seconds, connections, server }: PagesOptions,
  directory: string,
  processes: Processes,
): Promise<PageRow[]> {
  await stop((await processes.startServer(server, directory)).child);
  const screen_name = fill(directory);
  const { child } = await processes.startServer(server, directory);
  const reached: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  const target = `/12/accounts/${reached.account_id}/post_previews?post_ids=${POSTS}&post_type=PUBLISHED`;
  const adsPort = Number(new URL(reached.ads_base_url).port);
  const previews = bodyOf(await once(adsPort, await wire(reached, { method: 'GET', target })));
  const address = new URL(/src='([^']+)'/.exec(previews)?.[1] ?? 'http://invalid');
  const subjects = [
    ['preview page', address.pathname + address.search],
    ['page of a post', `/${screen_name}/status/${POSTS}`],
    ['timeline of 20 posts', `/${screen_name}`],
  ] as const;
  const rows: PageRow[] = [];
  for (const [name, page] of subjects) {
    const request = Buffer.from(`GET ${page} HTTP/1.1\r\nhost: ${address.host}\r\n\r\n`);
    const body = bodyOf(await once(Number(address.port), request));
    if (!body.includes(`Post ${POSTS} `)) throw new Error(`${page} does not show the post`);
    const press = (count: number) =>
      load(
        Number(address.port),
        Array.from({ length: count }, () => request),
        connections,
      );
    const { per_second } = await press(40);
    const ours = await press(Math.max(40, Math.ceil((per_second * seconds) / 4)));
    if (ours.failures > 0) throw new Error(`${name}: ${ours.failures} failed, one with ${ours.failure}`);
    rows.push({ name, ours });
  }
  await stop(child);
  return rows;
}

/** Writes posts of the demo's user as posting them would. @returns the user's screen name */
function fill(directory: string): string {
  const ads = new Database(path.join(directory, 'ads-production.db'));
  const user_id = textOf(ads.prepare('SELECT user_id FROM promotable_users LIMIT 1').raw().get());
  ads.close();
  const platform = new Database(path.join(directory, 'platform.db'));
  platform
    .prepare(
      `INSERT INTO posts (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive, reply_settings, nullcast)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT i, CAST(? AS INTEGER), 1767225600000 + i, 'Post ' || i || ' of the harbour', 'en', 'Bench', i, 0, 'everyone', 0 FROM n`,
    )
    .run(POSTS, user_id);
  const screen_name = textOf(platform.prepare('SELECT screen_name FROM users WHERE id = ?').raw().get(user_id));
  platform.close();
  return screen_name;
}

/** The one cell of a row. */
function textOf(row: unknown): string {
  return Array.isArray(row) ? String(row[0]) : '';
}
