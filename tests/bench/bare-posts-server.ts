/**
 * Baseline of the bench of data retrieval: a bare `node:http` server over the native libsql binding that reads the
 * same rows of the same file through kept prepared statements and writes the same bytes. It does not authenticate, limit,
 * validate or log anything.
 */
import { createServer } from 'node:http';
import Database from 'libsql';

const [file = '', base = ''] = process.argv.slice(2);
const db = new Database(file, { readonly: true });
db.defaultSafeIntegers(true);

const postColumns = [
  'posts.id',
  'author_id',
  'created_ms',
  'text',
  'lang',
  'source',
  'conversation_id',
  'in_reply_to_user_id',
  'replied_to_id',
  'quoted_id',
  'reposted_id',
  'possibly_sensitive',
  'reply_settings',
  'posts.entities',
  'context_annotations',
  'media_keys',
  'repost_count',
  'reply_count',
  'like_count',
  'quote_count',
  'posts.withheld',
  // The author of what is shown: of a repost, that of its original.
  `CASE WHEN reposted_id IS NULL THEN screen_name ELSE (SELECT author.screen_name FROM posts AS original
     JOIN users AS author ON author.id = CAST(original.author_id AS TEXT) WHERE original.id = posts.reposted_id) END`,
  // The poll, whose id is the number of its card.
  `CASE WHEN card_type LIKE '%\\_POLLS' ESCAPE '\\' THEN substr(card_uri, ${'card://'.length + 1}) END`,
] as const;
const posts = db
  .prepare(
    `SELECT ${postColumns.join(', ')} FROM json_each(?) AS wanted CROSS JOIN posts ON posts.id = CAST(wanted.value AS INTEGER)
       JOIN users ON users.id = CAST(posts.author_id AS TEXT) WHERE deleted_ms IS NULL AND users.protected = 0`,
  )
  .raw(true);
const users = db
  .prepare(
    `SELECT users.id, screen_name, name, created_at, description, location, url, profile_image_url, protected, verified,
       pinned_post_id, entities, withheld, followers_count, following_count, post_count, listed_count
     FROM json_each(?) AS wanted CROSS JOIN users ON users.id = wanted.value`,
  )
  .raw(true);
const media = db
  .prepare(
    `SELECT media_key, kind, content_type, width, height, duration_ms, bit_rate, blob_key, alt_text, view_count, preview_blob_key
     FROM json_each(?) AS wanted CROSS JOIN media ON media.media_key = wanted.value WHERE media.state = 'succeeded'`,
  )
  .raw(true);
const polls = db
  .prepare(
    `SELECT polls.id, choices, duration_minutes, end_ms, votes_1, votes_2, votes_3, votes_4
     FROM json_each(?) AS wanted CROSS JOIN polls ON polls.id = CAST(wanted.value AS INTEGER)`,
  )
  .raw(true);

type Cell = string | bigint | null;

function all(statement: { all(...args: unknown[]): unknown }, list: string): Cell[][] {
  const rows: unknown = statement.all(list);
  if (!Array.isArray(rows)) throw new TypeError('a statement gives rows');
  return rows;
}

const quote = JSON.stringify;

function references(row: readonly Cell[]): readonly (readonly [string, Cell])[] {
  const found: [string, Cell][] = [];
  if (row[10] !== null) found.push(['reposted', row[10] ?? null]);
  if (row[9] !== null) found.push(['quoted', row[9] ?? null]);
  if (row[8] !== null) found.push(['replied_to', row[8] ?? null]);
  return found;
}

/** Text and entities of a post, with the short link to what is attached. */
function said(row: readonly Cell[], blobs: ReadonlyMap<string, string>): readonly [text: string, entities: Cell] {
  const [text, held] = [String(row[3]), row[13] ?? null];
  const key = row[15] ? String(JSON.parse(String(row[15]))[0]) : '';
  if (!blobs.has(key)) return [text, held];
  const shown = BigInt(row[10] ?? row[0] ?? 0);
  const path = `/s/p${shown.toString(36).padStart(13, '0')}`;
  const url = base + path;
  const lead = text === '' ? '' : `${text} `;
  const start = [...lead].length;
  const link = {
    start,
    end: start + url.length,
    url,
    expanded_url: `${base}/${row[21]}/status/${shown}`,
    display_url: `${base}${path.slice(0, 15)}…`.slice('http://'.length),
    media_key: key,
  };
  const entities = held === null ? {} : JSON.parse(String(held));
  return [lead + url, quote({ ...entities, urls: [...(entities.urls ?? []), link] })];
}

/** The members of a post in the order of the contract. */
function showPost(row: readonly Cell[], blobs: ReadonlyMap<string, string>): string {
  const created = new Date(Number(row[2])).toISOString();
  const [words, entities] = said(row, blobs);
  let text = `{"id":"${row[0]}","text":${quote(words)}`;
  const attached = [
    ...(row[15] === null ? [] : [`"media_keys":${row[15]}`]),
    ...(row[22] === null ? [] : [`"poll_ids":["${row[22]}"]`]),
  ];
  if (attached.length > 0) text += `,"attachments":{${attached.join(',')}}`;
  text += `,"author_id":"${row[1]}"`;
  if (row[14] !== null) text += `,"context_annotations":${row[14]}`;
  text += `,"conversation_id":"${row[6]}","created_at":"${created}"`;
  text += `,"edit_controls":{"editable_until":"${created}","edits_remaining":0,"is_edit_eligible":false}`;
  text += `,"edit_history_post_ids":["${row[0]}"]`;
  if (entities !== null) text += `,"entities":${entities}`;
  if (row[7] !== null) text += `,"in_reply_to_user_id":"${row[7]}"`;
  text += `,"lang":${quote(String(row[4]))},"possibly_sensitive":${row[11] === 1n}`;
  text += `,"public_metrics":{"repost_count":${row[16]},"reply_count":${row[17]},"like_count":${row[18]},"quote_count":${row[19]}}`;
  const others = references(row);
  if (others.length > 0) {
    text += `,"referenced_posts":[${others.map(([type, id]) => `{"type":"${type}","id":"${id}"}`).join(',')}]`;
  }
  text += `,"reply_settings":${quote(String(row[12]))},"source":${quote(String(row[5]))}`;
  if (row[20] !== null) text += `,"withheld":${row[20]}`;
  return `${text}}`;
}

function showUser(row: readonly Cell[]): string {
  let text = `{"id":"${row[0]}","name":${quote(String(row[2]))},"username":${quote(String(row[1]))}`;
  text += `,"created_at":"${new Date(String(row[3])).toISOString()}","description":${quote(String(row[4]))}`;
  if (row[11] !== null) text += `,"entities":${row[11]}`;
  if (row[5] !== null) text += `,"location":${quote(String(row[5]))}`;
  if (row[10] !== null) text += `,"pinned_post_id":"${row[10]}"`;
  if (row[7] !== null) text += `,"profile_image_url":${quote(String(row[7]))}`;
  text += `,"protected":${row[8] === 1n}`;
  text += `,"public_metrics":{"followers_count":${row[13]},"following_count":${row[14]},"post_count":${row[15]},"listed_count":${row[16]}}`;
  if (row[6] !== null) text += `,"url":${quote(String(row[6]))}`;
  text += `,"verified":${row[9] === 1n}`;
  if (row[12] !== null) text += `,"withheld":${row[12]}`;
  return `${text}}`;
}

function showMedia(row: readonly Cell[]): string {
  const [key, kind, type, width, height, duration, rate, blob, alt, views, still] = row;
  const address = blob === null ? undefined : `${base}/media/${blob}`;
  let text = `{"media_key":"${key}","type":"${kind}"`;
  if (alt !== null) text += `,"alt_text":${quote(String(alt))}`;
  if (kind === 'video' && duration !== null) text += `,"duration_ms":${duration}`;
  if (height !== null) text += `,"height":${height}`;
  if (kind !== 'photo' && still !== null) text += `,"preview_image_url":"${base}/media/${still}"`;
  if (kind === 'video') text += `,"public_metrics":{"view_count":${views}}`;
  if (kind === 'photo' && address) text += `,"url":"${address}"`;
  if (kind !== 'photo' && address) {
    text += `,"variants":[{${rate === null ? '' : `"bit_rate":${rate},`}"content_type":"${type}","url":"${address}"}]`;
  }
  if (width !== null) text += `,"width":${width}`;
  return `${text}}`;
}

function showPoll(row: readonly Cell[]): string {
  const labels: unknown[] = JSON.parse(String(row[1]));
  const options = labels.map((label, i) => `{"position":${i + 1},"label":${quote(label)},"votes":${row[4 + i]}}`);
  const status = Date.now() >= Number(row[3]) ? 'closed' : 'open';
  return `{"id":"${row[0]}","options":[${options.join(',')}],"duration_minutes":${row[2]},"end_datetime":"${new Date(Number(row[3])).toISOString()}","voting_status":"${status}"}`;
}

const MENTION = /"mentions":(\[.*?\])/;

function answer(url: string): string {
  const ids = [...new Set((new URL(url, 'http://bare').searchParams.get('ids') ?? '').split(','))];
  const rows = all(posts, `[${ids.join(',')}]`);
  const wanted = [...new Set(rows.flatMap((row) => references(row).map(([, id]) => id)))];
  const referenced = wanted.length === 0 ? [] : all(posts, `[${wanted.join(',')}]`);
  const people = new Set<string>();
  for (const row of rows) {
    people.add(String(row[1]));
    if (row[7] !== null) people.add(String(row[7]));
    const mentions = MENTION.exec(String(row[13] ?? ''))?.[1] ?? '';
    for (const [, id = ''] of mentions.matchAll(/"id":"(\d+)"/g)) people.add(id);
  }
  for (const row of referenced) people.add(String(row[1]));
  const userRows = all(users, quote([...people]));
  const keys = [...new Set([...rows, ...referenced].flatMap((row) => (row[15] ? JSON.parse(String(row[15])) : [])))];
  const mediaRows = keys.length === 0 ? [] : all(media, quote(keys));
  const numbers = [...new Set(rows.flatMap((row) => row[22] ?? []))];
  const pollRows = numbers.length === 0 ? [] : all(polls, `[${numbers.join(',')}]`);
  const blobs = new Map(mediaRows.flatMap((row) => (row[7] === null ? [] : [[String(row[0]), String(row[7])]])));
  const show = (row: readonly Cell[]) => showPost(row, blobs);
  const along = [...new Map([...referenced, ...rows].map((row) => [row[0], row])).values()];
  const includes = [
    ...(mediaRows.length > 0 ? [`"media":[${mediaRows.map(showMedia).join(',')}]`] : []),
    ...(pollRows.length > 0 ? [`"polls":[${pollRows.map(showPoll).join(',')}]`] : []),
    ...(along.length > 0 ? [`"posts":[${along.map(show).join(',')}]`] : []),
    ...(userRows.length > 0 ? [`"users":[${userRows.map(showUser).join(',')}]`] : []),
  ];
  return `{"data":[${rows.map(show).join(',')}],"includes":{${includes.join(',')}}}`;
}

/** A post with the members that every post has. */
function showLeast(row: readonly Cell[], blobs: ReadonlyMap<string, string>): string {
  return `{"id":"${row[0]}","text":${quote(said(row, blobs)[0])}}`;
}

function leastAnswer(ids: string): string {
  const rows = all(posts, `[${ids}]`);
  const keys = rows.flatMap((row) => (row[15] ? JSON.parse(String(row[15])) : []));
  const mediaRows = keys.length === 0 ? [] : all(media, quote(keys));
  const blobs = new Map(mediaRows.flatMap((row) => (row[7] === null ? [] : [[String(row[0]), String(row[7])]])));
  return `{"data":[${rows.map((row) => showLeast(row, blobs)).join(',')}]}`;
}

const LEAST = /^\/2\/posts\?ids=([\d,]+)$/;

const server = createServer((request, response) => {
  const { url = '/' } = request;
  const ids = LEAST.exec(url)?.[1];
  const body = ids === undefined ? answer(url) : leastAnswer(ids);
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});
