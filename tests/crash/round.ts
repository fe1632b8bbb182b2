/**
 * One round of the crash test: writers change campaigns, line items and their targeting over signed HTTP, the server is killed in the middle,
 * starts again, and must hold every change that it acknowledged and no half of any other.
 *
 * Each writer works on entities of its own, one request after the other, so its model is exact: the last acknowledged state
 * of each entity, and the one request whose answer never came, which may have happened wholly or not at all.
 */
import { strict as assert } from 'node:assert';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson, stringifyJson } from '@broadside/core';
import { buildRequest, type TestRequest, type WireRequest } from '@broadside/testkit';
import Sqlite from 'libsql';
import { idOf, member } from '../src/support/body.ts';
import { ServerProcess } from '../src/support/server-process.ts';

/** A source of random numbers from 0 to 1, so that a failed round can be played again. */
type Chance = () => number;

/** Numbers that look random, the same for the same seed (mulberry32). */
function chanceOf(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a round did. */
export interface Figures {
  readonly acknowledged: number;
  readonly underWay: number;
  readonly underWayApplied: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a request asks for, in terms of the entities that it leaves behind. */
interface Intent {
  readonly request: TestRequest;
  /** New entities are told by these names. */
  readonly creates: readonly string[];
  /** Existing entities, with the fields that they will have. */
  readonly changes: ReadonlyMap<string, Fields>;
}

interface Writer {
  /** The last acknowledged state of each entity, by id. */
  readonly known: Map<string, Fields>;
  readonly sent: WireRequest[];
  underWay: Intent | undefined;
  acknowledged: number;
}

const WRITERS = 6;

/** The kinds of entity, each told by a field that no other has. */
const tellTales = { campaigns: 'budget_optimization', line_items: 'objective', targeting_criteria: 'targeting_type' };

/** The fields that a request decides; the others follow from the state around an entity. */
const decided = [
  'name',
  'deleted',
  'campaign_id',
  'line_item_id',
  'total_budget_amount_local_micro',
  'bid_amount_local_micro',
  'updated_at',
] as const;

class Session {
  readonly server: ServerProcess;
  readonly account_id: string;
  readonly funding_instrument_id: string;
  #nonces = 0;

  constructor(server: ServerProcess, account_id: string, funding_instrument_id: string) {
    this.server = server;
    this.account_id = account_id;
    this.funding_instrument_id = funding_instrument_id;
  }

  sign(request: TestRequest): Promise<WireRequest> {
    const { credentials } = this.server;
    return buildRequest(request, {
      origin: credentials.ads_sandbox_base_url,
      user: credentials,
      signing: {
        nowSeconds: () => Math.floor(Date.now() / 1000),
        nonce: () => `${process.pid}-${Date.now()}-${++this.#nonces}`,
      },
    });
  }

  /** @throws TypeError when no answer came */
  async send({ method, url, headers, body }: WireRequest): Promise<{ status: number; body: unknown; text: string }> {
    const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    return { status: response.status, text, body: text === '' ? undefined : parseJson(text) };
  }

  async ok(request: TestRequest): Promise<unknown> {
    const { status, body, text } = await this.send(await this.sign(request));
    assert.equal(status, 200, text);
    return body;
  }
}

/** Plays a round on a data directory, which may hold those of earlier rounds. @throws AssertionError */
export async function playRound(directory: string, seed: number): Promise<Figures> {
  const chance = chanceOf(seed);
  const before = await begin(directory);
  const writers = Array.from(
    { length: WRITERS },
    (): Writer => ({ known: new Map(), sent: [], underWay: undefined, acknowledged: 0 }),
  );
  const work = writers.map((writer, i) => write(before, writer, `w${i}`, chanceOf(seed * 100 + i)));
  const done = Promise.all(work);
  const answered = () => writers.some(({ acknowledged }) => acknowledged > 0);
  // A slow machine may take long until the first write is acknowledged.
  while (!answered()) await Promise.race([sleep(10), done]);
  await sleep(Math.floor(chance() * 900));
  await before.server.end('SIGKILL');
  await done;

  const server = await ServerProcess.start(directory);
  try {
    const after = new Session(server, before.account_id, before.funding_instrument_id);
    const stored = await everything(after);
    const applied = writers.map((writer) => checkWriter(writer, stored));
    const expected = writers.reduce((sum, { known }) => sum + known.size, 0);
    const created = writers.reduce(
      (sum, { underWay }, i) => sum + (applied[i] ? (underWay?.creates.length ?? 0) : 0),
      0,
    );
    assert.equal(stored.size, expected + created, 'nothing is there that nobody asked for');
    await checkReplays(after, writers);
    checkDatabase(directory, before.account_id);
    return {
      acknowledged: writers.reduce((sum, writer) => sum + writer.acknowledged, 0),
      underWay: writers.filter(({ underWay }) => underWay).length,
      underWayApplied: applied.filter((one) => one === true).length,
    };
  } finally {
    await server.end('SIGTERM');
  }
}

async function begin(directory: string): Promise<Session> {
  const server = await ServerProcess.start(directory);
  const bare = new Session(server, '', '');
  const account_id = idOf(await bare.ok({ method: 'POST', path: '/12/accounts' }));
  const query = { type: 'PARTNER_MANAGED', currency: 'USD', start_time: '2026-01-01' };
  const funding = await bare.ok({ method: 'POST', path: `/12/accounts/${account_id}/funding_instruments`, query });
  return new Session(server, account_id, idOf(funding));
}

/** Writes until the server is gone. */
async function write(session: Session, writer: Writer, prefix: string, chance: Chance): Promise<void> {
  for (let turn = 0; ; turn++) {
    const intent = choose(session, writer, `${prefix}-${turn}`, chance);
    const request = await session.sign(intent.request);
    writer.underWay = intent;
    let answer: Awaited<ReturnType<Session['send']>>;
    try {
      answer = await session.send(request);
    } catch {
      return;
    }
    // The limits of the account are no failure; the writer goes on with what it has.
    if (answer.status === 400 && answer.text.includes('TOO_MANY_')) {
      writer.underWay = undefined;
      continue;
    }
    assert.equal(answer.status, 200, answer.text);
    writer.underWay = undefined;
    writer.acknowledged++;
    writer.sent.push(request);
    const data = member(answer.body, 'data');
    for (const entity of Array.isArray(data) ? data : [data]) {
      const id = member(entity, 'id');
      if (typeof id === 'string') writer.known.set(id, fieldsOf(entity));
    }
  }
}

function fieldsOf(entity: unknown): Fields {
  const [kind] = Object.entries(tellTales).find(([, field]) => member(entity, field) !== undefined) ?? [];
  return { kind, ...Object.fromEntries(decided.map((name) => [name, member(entity, name)])) };
}

function choose(
  { account_id, funding_instrument_id }: Session,
  { known }: Writer,
  tag: string,
  chance: Chance,
): Intent {
  const account = `/12/accounts/${account_id}`;
  const alive = [...known].filter(([, fields]) => fields['deleted'] === false);
  const campaigns = alive.filter(([, { kind }]) => kind === 'campaigns').map(([id]) => id);
  const pick = (ids: readonly string[]) => ids[Math.floor(chance() * ids.length)];
  const roll = chance();
  const campaign_id = pick(campaigns);
  const create = (name: string) => ({ funding_instrument_id, name });
  const budget = BigInt(Math.floor(chance() * 2 ** 31)) + 2n ** 62n;
  const none = new Map<string, Fields>();
  if (campaign_id === undefined || roll < 0.25) {
    const request = { method: 'POST', path: `${account}/campaigns`, query: create(tag) };
    return { request, creates: [tag], changes: none };
  }
  if (roll < 0.45) {
    const names = Array.from({ length: 1 + Math.floor(chance() * 9) }, (_, i) => `${tag}.${i}`);
    const others = [...new Set([pick(campaigns), pick(campaigns)])].flatMap((id) => id ?? []);
    const [deleted, changed] = others;
    const json = [
      ...names.map((name) => ({ operation_type: 'Create', params: create(name) })),
      ...(changed === undefined ? [] : [{ operation_type: 'Update', params: { campaign_id: changed, name: tag } }]),
      ...(deleted === undefined ? [] : [{ operation_type: 'Delete', params: { campaign_id: deleted } }]),
    ];
    const changes = new Map([
      ...(changed === undefined ? [] : [[changed, { name: tag }] as const]),
      ...(deleted === undefined ? [] : [[deleted, { deleted: true }] as const]),
    ]);
    return {
      request: { method: 'POST', path: `/12/batch/accounts/${account_id}/campaigns`, json },
      creates: names,
      changes,
    };
  }
  if (roll < 0.65) {
    const lineItem = {
      campaign_id,
      name: tag,
      objective: 'ENGAGEMENTS',
      product_type: 'PROMOTED_POSTS',
      placements: 'ALL_ON_PLATFORM',
      start_time: '2026-01-01',
      end_time: '2099-01-01',
      bid_amount_local_micro: 1_000_000,
    };
    return {
      request: { method: 'POST', path: `${account}/line_items`, form: lineItem },
      creates: [tag],
      changes: none,
    };
  }
  // Line items of a deleted campaign can no longer be reached.
  const lineItems = alive
    .filter(([, fields]) => fields['kind'] === 'line_items' && campaigns.some((id) => id === fields['campaign_id']))
    .map(([id]) => id);
  const line_item_id = pick(lineItems);
  if (roll < 0.7 && line_item_id !== undefined) {
    const request = { method: 'DELETE', path: `${account}/line_items/${line_item_id}` };
    return { request, creates: [], changes: new Map([[line_item_id, { deleted: true }]]) };
  }
  if (roll < 0.85 && line_item_id !== undefined) {
    const reachable = alive.filter(([, { line_item_id: of }]) => lineItems.some((id) => id === of));
    const gone = pick(reachable.map(([id]) => id));
    const words = Array.from({ length: 1 + Math.floor(chance() * 4) }, (_, i) => `${tag} ${i}`);
    const json = [
      ...words.map((targeting_value) => ({
        operation_type: 'Create',
        params: { line_item_id, targeting_type: 'BROAD_KEYWORD', targeting_value },
      })),
      ...(gone === undefined ? [] : [{ operation_type: 'Delete', params: { targeting_criterion_id: gone } }]),
    ];
    return {
      request: { method: 'POST', path: `/12/batch/accounts/${account_id}/targeting_criteria`, json },
      creates: words,
      changes: new Map(gone === undefined ? [] : [[gone, { deleted: true }]]),
    };
  }
  if (roll < 0.95) {
    const change = { name: tag, total_budget_amount_local_micro: budget };
    const request = { method: 'PUT', path: `${account}/campaigns/${campaign_id}`, query: change };
    return { request, creates: [], changes: new Map([[campaign_id, change]]) };
  }
  const request = { method: 'DELETE', path: `${account}/campaigns/${campaign_id}` };
  return { request, creates: [], changes: new Map([[campaign_id, { deleted: true }]]) };
}

/** All entities of the round's account, by id. */
async function everything(session: Session): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>();
  const read = async (name: string, filter: Readonly<Record<string, string | boolean>>) => {
    let cursor: unknown;
    do {
      const query = { count: 1000, with_deleted: true, ...filter, ...(typeof cursor === 'string' ? { cursor } : {}) };
      const body = await session.ok({ path: `/12/accounts/${session.account_id}/${name}`, query });
      const data = member(body, 'data');
      assert(Array.isArray(data));
      for (const entity of data) found.set(String(member(entity, 'id')), fieldsOf(entity));
      cursor = member(body, 'next_cursor');
    } while (typeof cursor === 'string');
  };
  await read('campaigns', { with_draft: true });
  await read('line_items', { with_draft: true });
  const lineItems = [...found].filter(([, { kind }]) => kind === 'line_items').map(([id]) => id);
  for (let i = 0; i < lineItems.length; i += 200) {
    await read('targeting_criteria', { line_item_ids: lineItems.slice(i, i + 200).join() });
  }
  return found;
}

/** @returns whether the request that was never answered took effect; `undefined` when there was none */
function checkWriter({ known, underWay }: Writer, stored: ReadonlyMap<string, Fields>): boolean | undefined {
  for (const [id, fields] of known) {
    if (underWay?.changes.has(id)) continue;
    assert.deepEqual(stored.get(id), fields, `${id} is as it was acknowledged`);
  }
  if (!underWay) return undefined;
  const names = new Set([...stored].filter(([id]) => !known.has(id)).map(([, fields]) => fields['name']));
  const effects = underWay.creates.map((name) => names.has(name));
  for (const [id, change] of underWay.changes) {
    const { updated_at: _, ...before } = known.get(id) ?? {};
    const { updated_at: __, ...now } = stored.get(id) ?? {};
    const after = { ...before, ...change };
    const changed = equal(now, after);
    assert(changed || equal(now, before), `${id} is as before or as asked for: ${stringifyJson(now)}`);
    effects.push(changed);
  }
  assert.equal(new Set(effects).size, 1, `half of a request took effect: ${stringifyJson(effects)}`);
  return effects[0];
}

function equal(one: Fields, other: Fields): boolean {
  return stringifyJson(one) === stringifyJson(other);
}

/** What was accepted before the crash is not accepted again. */
async function checkReplays(session: Session, writers: readonly Writer[]): Promise<void> {
  const { ads_sandbox_base_url } = session.server.credentials;
  for (const { sent } of writers) {
    for (const request of sent.slice(-3)) {
      // The ports are new ones; the signature covers the address that the client used.
      const { host, pathname, search } = new URL(request.url);
      const url = `${ads_sandbox_base_url}${pathname}${search}`;
      const { status, text } = await sendWithHost(url, host, request);
      assert.equal(status, 401, text);
      assert.match(text, /received before/);
    }
  }
}

/** `fetch` does not let a caller set the Host header. */
async function sendWithHost(url: string, host: string, { method, headers, body }: WireRequest) {
  const { request } = await import('node:http');
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, host } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sums, records and pages of the database itself. */
function checkDatabase(directory: string, account_id: string): void {
  const database = new Sqlite(path.join(directory, 'ads-sandbox.db'), { readonly: true });
  try {
    const one = (sql: string, ...args: string[]) =>
      JSON.stringify(
        database
          .prepare(sql)
          .raw(true)
          .all(...args),
      );
    assert.equal(one('PRAGMA integrity_check'), '[["ok"]]');
    const sums = `SELECT "id" FROM "campaigns" c WHERE "line_item_count" <>
      (SELECT count(*) FROM "line_items" l WHERE l."account_id" = c."account_id" AND l."campaign_id" = c."id" AND l."deleted" = 0 AND l."entity_status" <> 'DRAFT')`;
    assert.equal(one(sums), '[]', 'campaigns know how many line items they have');
    const hidden = `SELECT l."id" FROM "line_items" l JOIN "campaigns" c ON c."account_id" = l."account_id" AND c."id" = l."campaign_id"
      WHERE l."deleted" = 0 AND l."parent_deleted" <> c."deleted"`;
    assert.equal(one(hidden), '[]', 'line items know whether their campaign is deleted');
    const orphaned = `SELECT t."id" FROM "targeting_criteria" t JOIN "line_items" l ON l."account_id" = t."account_id" AND l."id" = t."line_item_id"
      WHERE t."deleted" = 0 AND t."parent_deleted" <> (l."deleted" OR l."parent_deleted")`;
    assert.equal(one(orphaned), '[]', 'targeting criteria know whether their line item is deleted');
    for (const [table, entity] of [
      ['campaigns', 'CAMPAIGN'],
      ['line_items', 'LINE_ITEM'],
      ['targeting_criteria', 'TARGETING_CRITERIA'],
    ] as const) {
      checkLog(one, table, entity, account_id);
    }
  } finally {
    database.close();
  }
}

/** Columns that serve queries or follow from other entities, and therefore are no part of a change. */
const derived = new Set([
  'seq',
  'name_folded',
  'line_item_count',
  'flight_start',
  'flight_end',
  'content_review_problem',
  'parent_deleted',
  'automatic',
]);

function checkLog(
  one: (sql: string, ...args: string[]) => string,
  table: string,
  entity: string,
  account_id: string,
): void {
  const columns: unknown = JSON.parse(one(`SELECT "name" FROM pragma_table_info('${table}')`));
  assert(Array.isArray(columns));
  const equals = columns
    .map((row) => String(member(row, '0')))
    .filter((name) => !derived.has(name))
    .map((name) => `json_extract(log."entity_data", '$.${name}') IS t."${name}"`);
  const last = `(SELECT "entity_id", "entity_data", max("seq") FROM "change_log" WHERE "account_id" = ?1 AND "entity" = '${entity}' GROUP BY "entity_id")`;
  const differing = `SELECT t."id" FROM "${table}" t LEFT JOIN ${last} log ON log."entity_id" = t."id"
    WHERE t."account_id" = ?1 AND (log."entity_id" IS NULL OR NOT (${equals.join(' AND ')}))`;
  assert.equal(one(differing, account_id), '[]', `the last record of each ${entity} is how it is`);
  const orphans = `SELECT "entity_id" FROM "change_log" WHERE "account_id" = ? AND "entity" = '${entity}'
    AND "entity_id" NOT IN (SELECT "id" FROM "${table}")`;
  assert.equal(one(orphans, account_id), '[]', `no record speaks of a ${entity} that is not there`);
}
