/** Invariants of a server that was killed and started again. */
import { strict as assert } from 'node:assert';
import path from 'node:path';
import { stringifyJson } from '@broadside/core';
import type { WireRequest } from '@broadside/testkit';
import Sqlite from 'libsql';
import { member } from '../src/support/body.ts';
import type { Fields, Session, Writer } from './session.ts';
import { fieldsOf } from './writing.ts';

/** All entities of the round's account, by id. */
export async function everything(session: Pick<Session, 'account_id' | 'ok'>): Promise<Map<string, Fields>> {
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

/** @returns whether the request without a response took effect; `undefined` when there was none */
export function checkWriter(
  { known, underWay }: Pick<Writer, 'known' | 'underWay'>,
  stored: ReadonlyMap<string, Fields>,
): boolean | undefined {
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
  if (underWay.isWrong) return undefined;
  assert.equal(new Set(effects).size, 1, `half of a request took effect: ${stringifyJson(effects)}`);
  return effects[0];
}

function equal(one: Fields, other: Fields): boolean {
  return stringifyJson(one) === stringifyJson(other);
}

/** Checks that a request accepted before the crash is not accepted again. */
export async function checkReplays(session: Session, writers: readonly Writer[]): Promise<void> {
  const { ads_sandbox_base_url } = session.server.credentials;
  for (const { sent } of writers) {
    for (const request of sent.slice(-3)) {
      // The signature covers the address that the client used.
      const { host, pathname, search } = new URL(request.url);
      const url = `${ads_sandbox_base_url}${pathname}${search}`;
      const { status, text } = await sendWithHost(url, host, request);
      assert.equal(status, 401, text);
      // On a slow machine it may have become too old meanwhile.
      assert.match(text, /received before|behind the server's clock/);
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
export function checkDatabase(directory: string, account_id: string): void {
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

/** Columns that serve queries or follow from other entities, and therefore are not part of a change. */
const derived = new Set([
  'seq',
  'name_folded',
  'name_collated',
  'line_item_count',
  'flight_start',
  'flight_end',
  'content_review_problem',
  'parent_deleted',
  'automatic',
  // What campaigns spent and where they wait, which the platform knows and no change says.
  'spent_local_micro',
  'spent_today_local_micro',
  'spent_today_until',
  'line_items_spent_until',
  'awaiting_approval',
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
