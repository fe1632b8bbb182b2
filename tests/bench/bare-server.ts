/**
 * Baseline of the benches: a bare `node:http` server over the native libsql binding. It reads the same rows through
 * kept prepared statements and writes the same bytes, with the same durable commits, which it shares between writes as the
 * server does; it does not verify, permit, limit, validate or log anything.
 */
import { createServer, type ServerResponse } from 'node:http';
import Database from 'libsql';
import { Stages } from '../../apps/server/src/adapters/stages.ts';
import { groupCommit } from './group-commit.ts';

const [file = '', account = '', campaignId = '', manner = ''] = process.argv.slice(2);
/** Reads that arrive together are answered in stages, as ours are, where that is asked for; else one after the other. */
const stages = manner === 'in stages' ? new Stages() : undefined;
const db = new Database(file);
db.exec('PRAGMA busy_timeout = 5000');
db.exec('PRAGMA journal_mode = WAL');
db.exec('PRAGMA synchronous = FULL');

const columns = [
  'id',
  'name',
  'budget_optimization',
  'entity_status',
  'purchase_order_number',
  'daily_budget_amount_local_micro',
  'total_budget_amount_local_micro',
  'funding_instrument_id',
  'duration_in_days',
  'standard_delivery',
  'frequency_cap',
  'currency',
  'line_item_count',
  'flight_start',
  'flight_end',
  'created_at',
  'updated_at',
  'deleted',
] as const;
const list = columns.map((name) => `"${name}"`).join(', ');
const one = db.prepare(`SELECT ${list} FROM campaigns WHERE account_id = ? AND id = ?`).raw(true);
const many = db
  .prepare(
    `SELECT ${list} FROM campaigns WHERE account_id = ? AND deleted = 0 AND entity_status <> 'DRAFT' ORDER BY created_at DESC, seq DESC LIMIT ?`,
  )
  .raw(true);
const funding = db
  .prepare('SELECT id, start_time, end_time, deleted FROM funding_instruments WHERE account_id = ? AND id = ?')
  .raw(true);
/** Far above the numbers that our server keeps for itself: both write to one store, though not at one time. */
const FIRST = 1e12;

const sequence = db
  .prepare(
    'INSERT INTO sequences (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value',
  )
  .raw(true);
const insert = db.prepare(
  `INSERT INTO campaigns (account_id, id, seq, name, name_folded, name_collated, budget_optimization, entity_status, purchase_order_number,
    daily_budget_amount_local_micro, total_budget_amount_local_micro, funding_instrument_id, duration_in_days, standard_delivery,
    frequency_cap, currency, line_item_count, flight_start, flight_end, created_at, updated_at, deleted)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const log = db.prepare(
  `INSERT INTO change_log (account_id, entity, entity_id, change_type, change_time, change_by_user_id, change_by_platform, changes, entity_data)
   VALUES (?, 'CAMPAIGN', ?, 'CREATE', ?, ?, 'API_OTHER', '{}', ?)`,
);
const write = groupCommit(db);

type Cells = readonly unknown[];

/** The same members in the same order as the contract has them, so that the bytes are the same. */
function show(row: Cells) {
  const [
    id,
    name,
    budget_optimization,
    entity_status,
    purchase_order_number,
    daily,
    total,
    funding_instrument_id,
    duration_in_days,
    standard,
    frequency_cap,
    currency,
    items,
    ,
    ,
    created_at,
    updated_at,
    deleted,
  ] = row;
  const incomplete = Number(items) === 0;
  return {
    id,
    name,
    budget_optimization,
    reasons_not_servable: incomplete ? ['INCOMPLETE'] : [],
    servable: !incomplete,
    effective_status: incomplete ? 'UNKNOWN' : 'ACTIVE',
    entity_status,
    purchase_order_number,
    daily_budget_amount_local_micro: daily,
    total_budget_amount_local_micro: total,
    funding_instrument_id,
    duration_in_days,
    standard_delivery: standard === 1,
    frequency_cap,
    currency,
    created_at,
    updated_at,
    deleted: deleted === 1,
  };
}

function cells(value: unknown): Cells {
  if (!Array.isArray(value)) throw new TypeError('no such row');
  return value;
}

function send(response: ServerResponse, value: unknown): void {
  sendText(response, JSON.stringify(value));
}

function sendText(response: ServerResponse, body: string): void {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-current-api-version': '12',
  });
  response.end(body);
}

interface NewCampaign {
  readonly funding_instrument_id: string;
  readonly name: string;
  readonly daily_budget_amount_local_micro: number;
}

function create(params: NewCampaign) {
  const { funding_instrument_id, name, daily_budget_amount_local_micro: daily } = params;
  funding.get(account, funding_instrument_id);
  const seq = Number(cells(sequence.get('bare', FIRST))[0]);
  const id = seq.toString(36);
  const at = `${new Date().toISOString().slice(0, 19)}Z`;
  insert.run(
    account,
    id,
    BigInt(seq),
    name,
    name.toLowerCase(),
    name.toLowerCase(),
    'CAMPAIGN',
    'ACTIVE',
    null,
    BigInt(daily),
    null,
    funding_instrument_id,
    null,
    1n,
    null,
    'USD',
    0n,
    null,
    null,
    at,
    at,
    0n,
  );
  const campaign = show([
    id,
    name,
    'CAMPAIGN',
    'ACTIVE',
    null,
    daily,
    null,
    funding_instrument_id,
    null,
    1,
    null,
    'USD',
    0,
    null,
    null,
    at,
    at,
    0,
  ]);
  log.run(account, id, at, '1', JSON.stringify(campaign));
  return campaign;
}

function readOne() {
  const row = cells(one.get(account, campaignId));
  funding.get(account, row[7]);
  return { request: { params: { account_id: account, campaign_id: campaignId } }, data: show(row) };
}

function readMany() {
  const rows: Cells[] = many.all(account, 201).map(cells);
  funding.get(account, rows[0]?.[7]);
  return {
    request: { params: { account_id: account, count: 200 } },
    next_cursor: null,
    data: rows.slice(0, 200).map(show),
  };
}

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  if (method === 'GET') {
    const read = url.includes(`/campaigns/${campaignId}`) ? readOne : readMany;
    if (stages === undefined) send(response, read());
    else {
      stages.answer(request.socket, () => {
        const text = JSON.stringify(read());
        stages.send(() => sendText(response, text));
      });
    }
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    if (url.startsWith('/12/batch')) {
      const items: { operation_type: string; params: NewCampaign }[] = JSON.parse(body);
      write(() => {
        const data = items.map((item) => create(item.params));
        const request = items.map((item) => ({ ...item, params: { ...item.params, account_id: account } }));
        return () => send(response, { request, data });
      });
      return;
    }
    const form = new URLSearchParams(body);
    const params = {
      funding_instrument_id: form.get('funding_instrument_id') ?? '',
      name: form.get('name') ?? '',
      daily_budget_amount_local_micro: Number(form.get('daily_budget_amount_local_micro')),
    };
    write(() => {
      const data = create(params);
      return () => send(response, { request: { params: { ...params, account_id: account } }, data });
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});
