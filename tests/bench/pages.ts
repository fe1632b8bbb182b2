/** Pages of posts, as browsers ask for them: a preview, the page of a post, and a timeline. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import type { BenchRow } from './bench-row.ts';
import { bodyOf, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { stop } from './processes.ts';
import { measureRounds } from './rounds.ts';
import { inDirectory, type Run, short } from './run.ts';
import { type Credentials, wire } from './wire.ts';

/** More posts than a page of a timeline shows. */
const POSTS = 1000;

/** Posts something and measures its pages. */
export function measurePages(run: Run): Promise<readonly BenchRow[]> {
  return inDirectory(run, async (directory, processes) => {
    await startedOnce(directory, run.server);
    const screen_name = fill(directory);
    const { child } = await processes.startServer(run.server, directory);
    const reached: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
    const target = `/12/accounts/${reached.account_id}/post_previews?post_ids=${POSTS}&post_type=PUBLISHED`;
    const adsPort = Number(new URL(reached.ads_base_url).port);
    const previews = bodyOf(await once(adsPort, await wire(reached, { method: 'GET', target })));
    const address = new URL(/src='([^']+)'/.exec(previews)?.[1] ?? 'http://invalid');
    const port = Number(address.port);
    const subjects = [
      ['preview page', address.pathname + address.search],
      ['page of a post', `/${screen_name}/status/${POSTS}`],
      ['timeline of 20 posts', `/${screen_name}`],
    ] as const;
    const rows: BenchRow[] = [];
    for (const [name, page] of subjects) {
      const request = Buffer.from(`GET ${page} HTTP/1.1\r\nhost: ${address.host}\r\n\r\n`);
      const body = bodyOf(await once(port, request));
      if (!body.includes(`Post ${POSTS} `)) throw new Error(`${page} does not show the post`);
      const requests = (count: number) => Array.from({ length: count }, () => request);
      rows.push(await measureRounds({ name, warmup: 100, requests }, { ours: { child, port } }, short(run)));
    }
    await stop(child);
    return rows;
  });
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
