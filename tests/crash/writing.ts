/** Writers that write until the server has stopped. */
import { strict as assert } from 'node:assert';
import type { TestRequest } from '@broadside/testkit';
import { member } from '../src/support/body.ts';
import { type Chance, decided, type Fields, type Intent, type Session, tellTales, type Writer } from './session.ts';

/** Writes until the server has stopped. */
export async function write(session: Session, writer: Writer, prefix: string, chance: Chance): Promise<void> {
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
    const isAccepted = accept(writer, intent, answer);
    writer.underWay = undefined;
    if (!isAccepted) {
      writer.rejected++;
      continue;
    }
    writer.acknowledged++;
    writer.sent.push(request);
    if (chance() < 0.3 && !(await readBack(session, writer, chance))) return;
  }
}

/** Reads some campaigns of the writer, whose answers may be kept by the server. @returns whether it still answers */
async function readBack(session: Session, writer: Writer, chance: Chance): Promise<boolean> {
  const some = someCampaigns(session.account_id, writer, chance);
  if (some === undefined) return true;
  const answer = await session.send(await session.sign(some.request)).catch(() => undefined);
  if (answer === undefined) return false;
  checkReadBack(writer, some.count, answer);
  return true;
}

/** The parts of an answer that writers look at. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

/**
 * Notes the entities of the answer to a write.
 * @returns whether the write was accepted
 * @throws AssertionError where it had to be answered otherwise
 */
export function accept(
  { known }: Pick<Writer, 'known'>,
  { isWrong }: Pick<Intent, 'isWrong'>,
  { status, text, body }: Answer,
): boolean {
  // Reaching a limit of the account is not a failure; the writer continues with existing entities.
  if (status === 400 && (isWrong || text.includes('TOO_MANY_'))) return false;
  assert.equal(status, 200, text);
  assert(!isWrong, 'a wrong request was accepted');
  const data = member(body, 'data');
  for (const entity of Array.isArray(data) ? data : [data]) {
    const id = member(entity, 'id');
    if (typeof id === 'string') known.set(id, fieldsOf(entity));
  }
  return true;
}

/** A request that reads some campaigns of a writer, and how many; `undefined` while it has none. */
export function someCampaigns(
  account_id: string,
  { known }: Pick<Writer, 'known'>,
  chance: Chance,
): { readonly request: TestRequest; readonly count: number } | undefined {
  const campaigns = [...known].filter(([, { kind }]) => kind === 'campaigns').map(([id]) => id);
  const from = Math.floor(chance() * campaigns.length);
  const ids = campaigns.slice(from, from + 5);
  if (ids.length === 0) return undefined;
  const query = { campaign_ids: ids.join(), with_deleted: true, with_draft: true };
  return { request: { path: `/12/accounts/${account_id}/campaigns`, query }, count: ids.length };
}

/**
 * Checks that campaigns read as they were acknowledged.
 * @param count of the campaigns that were asked for
 * @param where the server that answered, if there are several
 * @throws AssertionError
 */
export function checkReadBack(
  writer: Pick<Writer, 'known' | 'readBack'>,
  count: number,
  { status, text, body }: Answer,
  where?: string,
): void {
  assert.equal(status, 200, text);
  const data = member(body, 'data');
  assert(Array.isArray(data) && data.length === count, text);
  const reads = where === undefined ? 'reads' : `reads on ${where}`;
  for (const entity of data) {
    const id = String(member(entity, 'id'));
    assert.deepEqual(fieldsOf(entity), writer.known.get(id), `${id} ${reads} as it was acknowledged`);
    writer.readBack++;
  }
}

export function fieldsOf(entity: unknown): Fields {
  const [kind] = Object.entries(tellTales).find(([, field]) => member(entity, field) !== undefined) ?? [];
  return { kind, ...Object.fromEntries(decided.map((name) => [name, member(entity, name)])) };
}

/** Chooses what a writer does next, with entities that it knows. @param tag names what is new */
export function choose(
  { account_id, funding_instrument_id }: Pick<Session, 'account_id' | 'funding_instrument_id'>,
  { known }: Pick<Writer, 'known'>,
  tag: string,
  chance: Chance,
): Intent {
  const account = `/12/accounts/${account_id}`;
  const alive = [...known].filter(([, fields]) => fields['deleted'] === false);
  const campaigns = alive.filter(([, { kind }]) => kind === 'campaigns').map(([id]) => id);
  const pick = (ids: readonly string[]) => ids[Math.floor(chance() * ids.length)];
  const roll = chance();
  const campaign_id = pick(campaigns);
  const create = (name: string) => ({
    funding_instrument_id,
    name,
    entity_status: chance() < 0.3 ? 'DRAFT' : chance() < 0.5 ? 'PAUSED' : 'ACTIVE',
  });
  const budget = BigInt(Math.floor(chance() * 2 ** 31)) + 2n ** 62n;
  const none = new Map<string, Fields>();
  if (campaign_id === undefined || roll < 0.25) {
    const request = { method: 'POST', path: `${account}/campaigns`, query: create(tag) };
    return { request, creates: [tag], changes: none };
  }
  if (roll < 0.3) return wrong(account_id, campaign_id, create(`${tag} is rejected`), chance);
  if (roll < 0.48) {
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
    const status = chance() < 0.5 ? {} : { entity_status: chance() < 0.5 ? 'ACTIVE' : 'PAUSED' };
    const change = { name: tag, total_budget_amount_local_micro: budget, ...status };
    const request = { method: 'PUT', path: `${account}/campaigns/${campaign_id}`, query: change };
    return { request, creates: [], changes: new Map([[campaign_id, change]]) };
  }
  const request = { method: 'DELETE', path: `${account}/campaigns/${campaign_id}` };
  return { request, creates: [], changes: new Map([[campaign_id, { deleted: true }]]) };
}

/** A request of which nothing may be stored: alone, or as the last item of a batch. */
function wrong(
  account_id: string,
  campaign_id: string,
  params: Fields & { readonly name: string },
  chance: Chance,
): Intent {
  const nothing = { creates: [], changes: new Map<string, Fields>(), isWrong: true };
  if (chance() < 0.5) {
    const path = `/12/accounts/${account_id}/campaigns/${campaign_id}`;
    const request = { method: 'PUT', path, query: { name: params.name, total_budget_amount_local_micro: -1 } };
    return { request, ...nothing };
  }
  const json = [
    { operation_type: 'Create', params },
    { operation_type: 'Update', params: { campaign_id, name: params.name } },
    { operation_type: 'Create', params: { ...params, entity_status: 'NEITHER' } },
  ];
  return { request: { method: 'POST', path: `/12/batch/accounts/${account_id}/campaigns`, json }, ...nothing };
}
