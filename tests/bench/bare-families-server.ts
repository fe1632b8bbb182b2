/**
 * Baseline of the benches of the resource families: a bare `node:http` server over the native libsql binding. A list
 * reads the same rows through a kept prepared statement and writes their columns, and so does a read of one of them, with the same
 * bytes as the server; a creation takes the newest row under a new
 * id, with the entry of the change log and a durable commit shared as in the server. Nothing is verified, permitted, limited
 * or validated.
 */
import { createServer, type ServerResponse } from 'node:http';
import Database from 'libsql';
import { bareEntities } from './bare-entities.ts';
import { groupCommit } from './group-commit.ts';

const [file = '', account = '', platformFile = '', mediaUrl = ''] = process.argv.slice(2);
const db = new Database(file);
db.exec('PRAGMA busy_timeout = 5000');
db.exec('PRAGMA journal_mode = WAL');
db.exec('PRAGMA synchronous = FULL');

/** Far above the numbers that our server keeps for itself: both write to one store, though not at one time. */
const FIRST = 1e12;

const sequence = db
  .prepare(
    'INSERT INTO sequences (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value',
  )
  .raw(true);
const log = db.prepare(
  `INSERT INTO change_log (account_id, entity, entity_id, change_type, change_time, change_by_user_id, change_by_platform, changes, entity_data)
   VALUES (?, ?, ?, 'CREATE', ?, ?, 'API_OTHER', '{}', ?)`,
);
const write = groupCommit(db);

const platform = new Database(platformFile);
platform.exec('PRAGMA busy_timeout = 5000');
const media = platform.prepare('SELECT width, height, blob_key FROM media WHERE media_key = ?').raw(true);

/** An image as cards show it. */
function mediaOf(media_key: string) {
  const [width, height, blob_key] = cells(media.get(media_key));
  return { type: 'IMAGE', url: `${mediaUrl}/media/${blob_key}`, width, height };
}

function cells(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('no such row');
  return value;
}

/** The statements of one table, prepared once. */
function statementsOf(table: string) {
  const info: unknown = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).raw(true).all();
  const columns = cells(info).map((row) => String(cells(row)[0]));
  const list = columns.map((name) => `"${name}"`).join(', ');
  const hidden = columns.filter((name) => ['deleted', 'parent_deleted'].includes(name));
  const where = ['account_id = ?', ...hidden.map((name) => `${name} = 0`)].join(' AND ');
  const order = 'ORDER BY created_at DESC, seq DESC LIMIT ?';
  const below = 'line_item_id IN (SELECT value FROM json_each(?))';
  return {
    columns,
    all: db.prepare(`SELECT ${list} FROM ${table} WHERE ${where} ${order}`).raw(true),
    ofLineItems: columns.includes('line_item_id')
      ? db.prepare(`SELECT ${list} FROM ${table} WHERE ${where} AND ${below} ${order}`).raw(true)
      : undefined,
    one: oneOf(table),
    newest: db.prepare(`SELECT ${list} FROM ${table} WHERE account_id = ? ORDER BY seq DESC LIMIT 1`).raw(true),
    /** The row that creations copy, read once. */
    last: undefined as readonly unknown[] | undefined,
    insert: db.prepare(`INSERT INTO ${table} (${list}) VALUES (${columns.map(() => '?').join(', ')})`),
  };
}

/** The read of one record, where it is compared. */
function oneOf(table: string) {
  const entity = bareEntities[table];
  if (!entity) return undefined;
  const list = entity.columns.map((name) => `"${name}"`).join(', ');
  return { ...entity, row: db.prepare(`SELECT ${list} FROM ${table} WHERE account_id = ? AND id = ?`).raw(true) };
}

type Statements = ReturnType<typeof statementsOf>;
const known = new Map<string, Statements>();

function statements(table: string): Statements {
  const held = known.get(table) ?? statementsOf(table);
  known.set(table, held);
  return held;
}

function show({ columns }: Statements, row: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(columns.map((name, i) => [name, row[i]]));
}

function list(table: string, line_item_ids: string | null, count: number) {
  const held = statements(table);
  const rows: unknown =
    line_item_ids !== null && held.ofLineItems
      ? held.ofLineItems.all(account, JSON.stringify(line_item_ids.split(',')), count + 1)
      : held.all.all(account, count + 1);
  const shown = cells(rows).map((row) => show(held, cells(row)));
  return { request: { params: { account_id: account } }, next_cursor: null, data: shown.slice(0, count) };
}

function get(table: string, id: string) {
  const { one } = statements(table);
  if (!one) throw new TypeError(`${table} are not read one by one`);
  const data = one.show(cells(one.row.get(account, id)), mediaOf);
  return { request: { params: { account_id: account, [one.id]: id } }, data };
}

function create(table: string) {
  const held = statements(table);
  const seq = Number(cells(sequence.get('bare', FIRST))[0]);
  const id = seq.toString(36);
  const at = `${new Date().toISOString().slice(0, 19)}Z`;
  // Each record has parents and a name of its own: some tables have one record of a kind for each, and the server counts.
  const fresh = new Map<string, unknown>([
    ['id', id],
    ['seq', seq],
    ['campaign_id', id],
    ['line_item_id', id],
    ['name', `Bare ${id}`],
    ['name_folded', `bare ${id}`],
    ['name_collated', `bare ${id}`],
    ['created_at', at],
    ['updated_at', at],
  ]);
  held.last ??= cells(held.newest.get(account));
  const newest = held.last;
  const row = held.columns.map((name, i) => (fresh.has(name) ? fresh.get(name) : newest[i]));
  held.insert.run(...row.map((cell) => (typeof cell === 'number' ? BigInt(cell) : cell)));
  const data = show(held, row);
  log.run(account, table.toUpperCase(), id, at, '1', JSON.stringify(data));
  return { request: { params: { account_id: account } }, data };
}

function send(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-current-api-version': '12',
  });
  response.end(body);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  // `/12/accounts/:account_id/<table>` and `/12/accounts/:account_id/<table>/:id`
  const [, , , , table = '', id] = pathname.split('/');
  request.resume();
  request.on('end', () => {
    const count = Number(searchParams.get('count') ?? 200);
    if (request.method === 'GET' && id !== undefined) send(response, get(table, id));
    else if (request.method === 'GET') send(response, list(table, searchParams.get('line_item_ids'), count));
    else
      write(() => {
        const answer = create(table);
        return () => send(response, answer);
      });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});
