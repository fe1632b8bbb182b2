/** Posting for an advertiser with very many posts, and listing them, over REST. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'libsql';
import { bodyOf, type LoadResult, load, once } from './load.ts';
import { Processes, stop } from './processes.ts';
import { type Credentials, type Request, wire } from './wire.ts';

/** Results of one request. */
export interface AdvertiserPostsRow {
  readonly name: string;
  readonly ours: LoadResult;
}

/** Number of posts of one author, duration and load of a run. */
export interface AdvertiserPostsOptions {
  readonly posts: number;
  readonly seconds: number;
  readonly connections: number;
  /** The main file of the built server. */
  readonly server: string;
}

/** Fills a platform and measures it. */
export async function measureAdvertiserPosts(options: AdvertiserPostsOptions): Promise<readonly AdvertiserPostsRow[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-advertiser-posts-'));
  const processes = new Processes();
  try {
    return await measure(options, directory, processes);
  } finally {
    processes.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Reached extends Credentials {
  readonly user_id: string;
}

/** The id of the first post; each later one is the next number, all of them of the past. */
const FIRST = 1_000_000n;
const PAGE = 200;

async function measure(
  { posts, seconds, connections, server }: AdvertiserPostsOptions,
  directory: string,
  processes: Processes,
): Promise<AdvertiserPostsRow[]> {
  const reached = (): Reached => JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  await stop((await processes.startServer(server, directory)).child);
  fill(directory, reached().user_id, posts);
  const { child } = await processes.startServer(server, directory);
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
  const rows: AdvertiserPostsRow[] = [];
  for (const [what, request] of subjects) {
    const press = async (count: number) =>
      load(port, await Promise.all(Array.from({ length: count }, () => wire(held, request()))), connections);
    const { per_second } = await press(40);
    const ours = await press(Math.max(40, Math.ceil((per_second * seconds) / 4)));
    if (ours.failures > 0) throw new Error(`${what}: ${ours.failures} failed, one with ${ours.failure}`);
    rows.push({ name: what === 'create post' ? what : `list posts over ${posts}: ${what}`, ours });
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
