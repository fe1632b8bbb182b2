/** Posting for an advertiser with very many posts, and listing them, over REST. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import type { BenchRow } from './bench-row.ts';
import { bodyOf, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { type Processes, stop } from './processes.ts';
import { measureRounds } from './rounds.ts';
import { inDirectory, type Run, short } from './run.ts';
import { type Credentials, type Request, wire } from './wire.ts';

/** Fills a platform and measures it. */
export function measureAdvertiserPosts(run: Run): Promise<readonly BenchRow[]> {
  return inDirectory(run, (directory, processes) => measure(run, directory, processes));
}

interface Reached extends Credentials {
  readonly user_id: string;
}

/** The id of the first post; each later one is the next number, all of them of the past. */
const FIRST = 1_000_000n;
const PAGE = 200;

async function measure(run: Run, directory: string, processes: Processes): Promise<BenchRow[]> {
  const posts = run.amounts.timeline;
  const reached = (): Reached => JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  await startedOnce(directory, run.server);
  fill(directory, reached().user_id, posts);
  const { child } = await processes.startServer(run.server, directory);
  const held = reached();
  const port = Number(new URL(held.ads_base_url).port);
  const account = `/12/accounts/${held.account_id}`;
  const list = (query: string) => (): Request => ({
    method: 'GET',
    target: `${account}/posts?post_type=PUBLISHED&count=${PAGE}&${query}`,
  });
  const cursor = await deepCursor(port, held, list('timeline_type=ALL&include_mentions_and_replies=true')().target);
  let serial = 0;
  const subjects: readonly (readonly [string, () => Request])[] = [
    ['the newest', list('timeline_type=ALL')],
    ['promoted only', list('timeline_type=NULLCAST')],
    ['a later page, with mentions', list(`timeline_type=ALL&include_mentions_and_replies=true&cursor=${cursor}`)],
    ['a name that one has', list(`timeline_type=ALL&name=rare%20${posts / 2}%20`)],
    ['a name that a tenth has', list('timeline_type=ALL&name=common')],
    ['create post', () => ({ method: 'POST', target: `${account}/post`, form: postOf(held.user_id, ++serial) })],
  ];
  const rows: BenchRow[] = [];
  for (const [what, request] of subjects) {
    const name = what === 'create post' ? what : `list posts over ${posts}: ${what}`;
    const requests = (count: number) => Promise.all(Array.from({ length: count }, () => wire(held, request())));
    rows.push(await measureRounds({ name, warmup: 40, requests }, { ours: { child, port } }, short(run)));
  }
  await stop(child);
  return rows;
}

function postOf(as_user_id: string, i: number): Readonly<Record<string, string>> {
  return { as_user_id, text: `Reading number ${i} of this autumn`, name: `New ${i}`, trim_user: 'true' };
}

/** The cursor of the third page. */
async function deepCursor(port: number, held: Credentials, target: string): Promise<string> {
  let cursor = '';
  for (let page = 0; page < 2; page++) {
    const more = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await once(port, await wire(held, { method: 'GET', target: target + more }));
    const body: { next_cursor: string; data: unknown[] } = JSON.parse(bodyOf(answer));
    if (body.data.length !== PAGE) throw new Error(`a page has ${body.data.length} posts`);
    cursor = body.next_cursor;
  }
  return cursor;
}

/** Writes posts of one author, as posting them would: every third in public, every seventh with a mention. */
function fill(directory: string, user_id: string, posts: number): void {
  const platform = new Database(path.join(directory, 'platform.db'));
  platform
    .prepare(
      `INSERT INTO posts (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive, reply_settings,
         nullcast, entities, name, name_folded)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
       SELECT ? + i, ?, i, 'Post ' || i, 'en', 'Bench', ? + i, 0, 'everyone', i % 3 > 0,
         CASE WHEN i % 7 = 0 THEN '{"mentions":[{"start":0,"end":2,"username":"a"}]}' END,
         CASE WHEN i % 10 = 0 THEN 'common ' || i ELSE 'rare ' || i || ' ' END,
         CASE WHEN i % 10 = 0 THEN 'common ' || i ELSE 'rare ' || i || ' ' END FROM n`,
    )
    .run(posts, FIRST, BigInt(user_id), FIRST);
  platform.close();
}
