/** Paging, sorting, counting and filters: specification A, shared conventions 4. */
import { allOperations, type Operation, wireTypeOf } from '@broadside/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { type CallParams, pathNames } from '../support/call.ts';
import { familyFixtures, familyOf } from '../support/families.ts';
import { type Entity, isOperationId, type OperationId, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

/** Creates campaigns with the given names. */
async function campaigns(stage: Stage, names: readonly string[]): Promise<Entity[]> {
  const made: Entity[] = [];
  for (const name of names) made.push(await stage.campaign({ name }));
  return made;
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `Campaign ${i}`);
const namesOf = (entities: readonly Entity[]) => entities.map(({ name }) => name);
const idsOf = (entities: readonly Entity[]) => entities.map(({ id }) => id);

/** All pages of a list. */
async function walk(stage: Stage, id: OperationId, params: Record<string, unknown>): Promise<Entity[][]> {
  const pages: Entity[][] = [];
  let cursor: string | null | undefined;
  do {
    const given: Record<string, unknown> = { ...params, ...(cursor ? { cursor } : {}) };
    const outcome = await stage.call(id, given);
    expect(outcome.errors).toEqual([]);
    pages.push(Entities.parse(outcome.data));
    cursor = outcome.next_cursor;
    expect(pages.length).toBeLessThan(100);
  } while (cursor);
  return pages;
}

const Entities = z.array(z.looseObject({ id: z.string() }));

scenario('A-COUNT', async (stage) => {
  const batch = Array.from({ length: 40 }, (_, i) => ({
    operation_type: 'Create',
    params: { funding_instrument_id: stage.funding_instrument_id, name: `Campaign ${i}`, entity_status: 'DRAFT' },
  }));
  for (let i = 0; i < 6; i++) await stage.ok('campaigns.batch', { operations: batch });
  const usual = await stage.call('campaigns.list', { with_draft: true });
  expect(usual.data).toHaveLength(200);
  expect(usual.next_cursor).toEqual(expect.any(String));
  expect(await stage.many('campaigns.list', { with_draft: true, count: 1 })).toHaveLength(1);
  const all = await stage.call('campaigns.list', { with_draft: true, count: 1000 });
  expect([all.data, all.next_cursor]).toEqual([expect.objectContaining({ length: 240 }), null]);
});

scenario('A-COUNT-BOUNDS', async (stage) => {
  for (const count of [0, -1, 1001]) {
    expect(await stage.refused('campaigns.list', { count })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'count' },
    ]);
  }
});

scenario('A-CURSOR-WALK', async (stage) => {
  const made = await campaigns(stage, numbered(7));
  for (const [count, sizes] of [
    [3, [3, 3, 1]],
    [7, [7]],
    [1, [1, 1, 1, 1, 1, 1, 1]],
  ] as const) {
    const pages = await walk(stage, 'campaigns.list', { count });
    expect(pages.map((page) => page.length)).toEqual(sizes);
    expect(idsOf(pages.flat())).toEqual(idsOf(made).reverse());
  }
});

scenario('A-CURSOR-FOREIGN', async (stage) => {
  await campaigns(stage, numbered(3));
  const { next_cursor } = await stage.call('campaigns.list', { count: 1 });
  expect(next_cursor).toEqual(expect.any(String));
  const strange = [
    { cursor: next_cursor, sort_by: ['name-asc'] },
    { cursor: `${next_cursor}x` },
    { cursor: 'c-3yvu1pzhd3i7' },
    { cursor: '%' },
    { cursor: 'ü' },
    { cursor: btoa('["created_at-desc","x"]') },
    { cursor: btoa('["created_at-desc","x",{"n":"zzzzzzzzzzzzz"}]') },
  ];
  for (const params of strange) {
    const errors = await stage.refused('campaigns.list', params);
    expect(errors, JSON.stringify(params)).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'cursor' }]);
  }
});

scenario('A-CURSOR-ACCOUNT', async (stage) => {
  await campaigns(stage, numbered(3));
  const { next_cursor } = await stage.call('campaigns.list', { count: 1 });
  const account_id = await stage.world.createAccount();
  expect(await stage.many('campaigns.list', { account_id, cursor: next_cursor })).toEqual([]);
});

// An insert or a deletion between two pages, at any place.
const change = fc.record({ page: fc.nat(5), insert: fc.boolean(), at: fc.nat(30) });

scenario('A-CURSOR-STABLE', async (stage) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('created_at-asc', 'created_at-desc', 'name-asc', 'name-desc'),
      fc.array(change, { maxLength: 6 }),
      async (count, order, changes) => {
        const account_id = await stage.world.createAccount();
        const funding_instrument_id = await stage.world.createFundingInstrument(account_id);
        const create = (name: string) => stage.one('campaigns.create', { account_id, funding_instrument_id, name });
        const before: Entity[] = [];
        for (let i = 0; i < 12; i++) before.push(await create(`${(i * 7) % 12}`));
        const deleted = new Set<string>();
        const inserted = new Set<string>();
        const seen: Entity[] = [];
        let cursor: string | null | undefined;
        for (let page = 0; page === 0 || cursor; page++) {
          const params: Record<string, unknown> = {
            account_id,
            count,
            sort_by: [order],
            ...(cursor ? { cursor } : {}),
          };
          const outcome = await stage.call('campaigns.list', params);
          seen.push(...Entities.parse(outcome.data));
          cursor = outcome.next_cursor;
          for (const { insert, at } of changes.filter((one) => one.page === page)) {
            const target = before[at % before.length];
            if (insert) inserted.add((await create(`${at}`)).id);
            else if (target && !deleted.has(target.id)) {
              await stage.ok('campaigns.delete', { account_id, campaign_id: target.id });
              deleted.add(target.id);
            }
          }
        }
        const ids = idsOf(seen);
        expect(new Set(ids).size, 'none twice').toBe(ids.length);
        const survivors = before.filter(({ id }) => !deleted.has(id));
        expect(
          survivors.filter(({ id }) => !ids.includes(id)),
          'none skipped',
        ).toEqual([]);
        const strangers = ids.filter((id) => !inserted.has(id) && !before.some((one) => one.id === id));
        expect(strangers).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
});

/**
 * Fills a list with entities that have different, equal and missing values of the attributes that it sorts by.
 * @returns the parameters that the list requires
 */
async function spread(stage: Stage, operation: Operation): Promise<CallParams> {
  const family = familyOf(operation);
  const fixture = familyFixtures().get(family);
  if (!fixture?.spread)
    throw new TypeError(`tests/src/fixtures: the fixture of ${family} needs \`spread\` for its list`);
  return fixture.spread(stage);
}

/** How a list must be ordered: nulls below all values, equal values in the order of creation. */
function sorted(entities: readonly Entity[], attribute: string, direction: string): Entity[] {
  const created = [...entities].sort((a, b) => (BigInt(`0x${seq(a)}`) < BigInt(`0x${seq(b)}`) ? -1 : 1));
  const sign = direction === 'asc' ? 1 : -1;
  const oldestFirst = sign === 1 ? created : created.reverse();
  return oldestFirst.sort((a, b) => sign * compare(a[attribute], b[attribute]));
}

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

/** Ids are base36 and increasing, except those of accounts, which are random. */
function seq({ id }: Entity): string {
  return Buffer.from(id.padStart(13, '0')).toString('hex');
}

// Lookups and the history have an order of their own.
const lists = allOperations.filter(({ envelope, params }) => envelope === 'list' && 'sort_by' in params.shape);

function ordersOf(operation: Operation): string[] {
  const schema = z.instanceof(z.ZodType).parse(operation.params.shape['sort_by']);
  return [...(wireTypeOf(schema)?.values ?? [])];
}

/** Deletes the second of the entities of a list that can be sorted by deletion, neither the first nor the last created. */
async function removeOne(stage: Stage, list: Operation): Promise<void> {
  if (!ordersOf(list).some((order) => /^(deleted|paused)-/.test(order))) return;
  const removal = allOperations.find(({ id }) => id === `${familyOf(list)}.delete`);
  const parameter = removal && pathNames(removal).at(-1);
  if (!removal || parameter === undefined) throw new TypeError(`nothing deletes what ${list.id} lists`);
  const [, one] = await stage.many(operationId(list));
  await stage.ok(operationId(removal), { [parameter]: one?.id });
}

scenario('A-SORT', async (stage) => {
  for (const operation of lists) {
    const id = operationId(operation);
    const needed = await spread(stage, operation);
    await removeOne(stage, operation);
    const base = { ...needed, with_deleted: true };
    // Accounts of other scenarios come and go below, so only a look at one instant can be compared.
    const all = await stage.many(id, { ...base, count: 1000 });
    expect(all.length).toBeGreaterThanOrEqual(4);
    for (const order of ordersOf(operation)) {
      const [sorting = '', direction = ''] = order.split('-');
      // What is detached is what no longer runs, and the only thing that shows of it.
      const attribute = sorting === 'paused' ? 'deleted' : sorting;
      const listed = await stage.many(id, { ...base, sort_by: [order], count: 1000 });
      const values = (entities: readonly Entity[]) => entities.map((entity) => entity[attribute]);
      expect(new Set(values(all)).size, `${id} needs different values of ${attribute}`).toBeGreaterThan(1);
      expect(values(listed), `${id} ${order}`).toEqual(values(sorted(all, attribute, direction)));
      if (id !== 'accounts.list')
        expect(idsOf(listed), `${id} ${order}`).toEqual(idsOf(sorted(all, attribute, direction)));
    }
  }
});

scenario('A-SORT-PAGES', async (stage) => {
  for (const operation of lists) {
    const id = operationId(operation);
    const base = await spread(stage, operation);
    const orders = ordersOf(operation).map((order) => [order]);
    // Several attributes, in one direction and in both.
    const [a = '', b = '', c = ''] = ordersOf(operation);
    orders.push([a, c], [b, c], [c, a, b]);
    for (const sort_by of orders) {
      const whole = await stage.many(id, { ...base, sort_by, count: 1000 });
      const pages = await walk(stage, id, { ...base, sort_by, count: 3 });
      expect(idsOf(pages.flat()), `${id} ${sort_by.join()}`).toEqual(idsOf(whole));
    }
  }
});

function operationId({ id }: Operation): OperationId {
  if (!isOperationId(id)) throw new TypeError(`${id} is no operation`);
  return id;
}

scenario('A-SORT-DEFAULT', async (stage) => {
  const made = await campaigns(stage, numbered(3));
  stage.world.clock.advance(5000);
  made.push(await stage.campaign());
  expect(idsOf(await stage.many('campaigns.list'))).toEqual(idsOf(made).reverse());
});

scenario('A-SORT-UNKNOWN', async (stage) => {
  for (const sort_by of [['id-asc'], ['name'], ['name-up'], ['name-asc', 'x-desc']]) {
    const outcome = await stage.call('campaigns.list', { sort_by });
    expect(outcome).toMatchObject({ ok: false, errors: [{ parameter: 'sort_by' }] });
  }
});

scenario('A-DELETED', async (stage) => {
  const [kept, gone] = await campaigns(stage, ['kept', 'gone']);
  const campaign_id = gone?.id;
  await stage.ok('campaigns.delete', { campaign_id });
  expect(namesOf(await stage.many('campaigns.list'))).toEqual(['kept']);
  expect(namesOf(await stage.many('campaigns.list', { with_deleted: false }))).toEqual(['kept']);
  expect(namesOf(await stage.many('campaigns.list', { with_deleted: true }))).toEqual(['gone', 'kept']);
  expect(await stage.refused('campaigns.get', { campaign_id }, 404)).toMatchObject([
    { code: 'CAMPAIGN_NOT_FOUND', parameter: 'campaign_id', value: campaign_id },
  ]);
  expect(await stage.one('campaigns.get', { campaign_id, with_deleted: true })).toMatchObject({ deleted: true });
  expect(await stage.one('campaigns.get', { campaign_id: kept?.id, with_deleted: true })).toMatchObject({
    deleted: false,
  });
});

scenario('A-DELETED-SHOWN', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const deleted = { deleted: true };
  expect(await stage.one('line_items.delete', { line_item_id: lineItem.id })).toMatchObject({
    id: lineItem.id,
    ...deleted,
  });
  expect(await stage.one('campaigns.delete', { campaign_id: campaign.id })).toMatchObject({
    id: campaign.id,
    ...deleted,
  });
  const { funding_instrument_id, account_id } = stage;
  expect(await stage.one('funding_instruments.delete', { funding_instrument_id })).toMatchObject(deleted);
  expect(await stage.one('accounts.delete')).toMatchObject({ id: account_id, ...deleted });
});

scenario('A-TOTAL', async (stage) => {
  const made = await campaigns(stage, numbered(5));
  await stage.ok('campaigns.delete', { campaign_id: made[0]?.id });
  expect(await stage.call('campaigns.list')).toMatchObject({ total_count: undefined });
  expect(await stage.call('campaigns.list', { with_total_count: false })).toMatchObject({ total_count: undefined });
  const count = 2;
  for (const [params, total_count] of [
    [{}, 4],
    [{ with_deleted: true }, 5],
    [{ q: 'campaign 3' }, 1],
    [{ campaign_ids: [made[1]?.id, made[2]?.id, 'nosuch'] }, 2],
    [{ q: 'nothing' }, 0],
  ] as const) {
    const outcome = await stage.call('campaigns.list', { ...params, count, with_total_count: true });
    expect(outcome, JSON.stringify(params)).toMatchObject({ total_count });
  }
});

scenario('A-TOTAL-CURSOR', async (stage) => {
  await campaigns(stage, numbered(3));
  const { next_cursor: cursor } = await stage.call('campaigns.list', { count: 1, with_total_count: true });
  const errors = await stage.refused('campaigns.list', { count: 1, with_total_count: true, cursor });
  expect(errors).toMatchObject([{ code: 'EXCLUSIVE_PARAMETERS', parameter: 'cursor' }]);
  expect(await stage.many('campaigns.list', { count: 1, with_total_count: false, cursor })).toHaveLength(1);
});

scenario('A-IDS', async (stage) => {
  const made = await campaigns(stage, numbered(4));
  const wanted = [made[3]?.id, made[1]?.id];
  const padding = Array.from({ length: 198 }, (_, i) => `none${i}`);
  expect(idsOf(await stage.many('campaigns.list', { campaign_ids: [...wanted, ...padding] }))).toEqual(wanted);
  expect(idsOf(await stage.many('campaigns.list', { campaign_ids: [made[0]?.id, made[0]?.id] }))).toEqual([
    made[0]?.id,
  ]);
  expect(await stage.many('campaigns.list', { campaign_ids: ['nosuch'] })).toEqual([]);
});

scenario('A-IDS-201', async (stage) => {
  const ids = Array.from({ length: 201 }, () => 'same');
  const filters = [
    ['accounts.list', 'account_ids'],
    ['campaigns.list', 'campaign_ids'],
    ['campaigns.list', 'funding_instrument_ids'],
    ['line_items.list', 'line_item_ids'],
    ['line_items.list', 'campaign_ids'],
    ['line_items.list', 'funding_instrument_ids'],
    ['funding_instruments.list', 'funding_instrument_ids'],
    ['promotable_users.list', 'promotable_user_ids'],
    ['promoted_posts.list', 'line_item_ids'],
    ['promoted_posts.list', 'promoted_post_ids'],
    ['promoted_accounts.list', 'line_item_ids'],
    ['promoted_accounts.list', 'promoted_account_ids'],
    ['media_creatives.list', 'line_item_ids'],
    ['media_creatives.list', 'media_creative_ids'],
  ] as const;
  for (const [id, name] of filters) {
    expect(await stage.refused(id, { [name]: ids })).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: name }]);
    expect(await stage.many(id, { [name]: ids.slice(1) })).toEqual([]);
  }
});

scenario('A-Q', async (stage) => {
  const cases: readonly (readonly [name: string, matching: readonly string[], others: readonly string[]])[] = [
    ['Summer', ['summer', 'SUMMER', 's', 'sUmMeR'], ['ummer', 'Summers', ' summer']],
    ['ÄPFEL', ['äpfel', 'Äp', 'A\u0308pfel'], ['apfel']],
    ['straße', ['STRASSE', 'strasse', 'Straße', 'stras'], ['strabe']],
    ['ΟΔΟΣΑ', ['οδοσ', 'ΟΔΟΣ', 'οδος', 'Οδοσα'], ['δοσ']],
    ['КАМПАНИЯ', ['кампан', 'Кампания'], ['kамп']],
    ['日本語', ['日', '日本語'], ['本']],
    ['🎈 balloons', ['🎈', '🎈 BALL'], ['🎉']],
  ];
  await campaigns(
    stage,
    cases.map(([name]) => name),
  );
  for (const [name, matching, others] of cases) {
    for (const q of matching) expect(namesOf(await stage.many('campaigns.list', { q })), q).toContain(name);
    for (const q of others) expect(namesOf(await stage.many('campaigns.list', { q })), q).not.toContain(name);
  }
});

scenario('A-Q-LITERAL', async (stage) => {
  const names = ['100% off', '100x off', '100_off', '[a-z]', 'a*b', "o'clock", '"quoted"', 'a\\b'];
  await campaigns(stage, names);
  for (const name of names) {
    expect(namesOf(await stage.many('campaigns.list', { q: name.slice(0, 4) })), name).toContain(name);
    expect(namesOf(await stage.many('campaigns.list', { q: name }))).toEqual([name]);
  }
  expect(namesOf(await stage.many('campaigns.list', { q: '%' }))).toEqual([]);
  expect(namesOf(await stage.many('campaigns.list', { q: '100_' }))).toEqual(['100_off']);
});

scenario('A-Q-LENGTH', async (stage) => {
  const name = 'q'.repeat(255);
  const campaign = await stage.campaign({ name });
  const lineItem = await stage.lineItem(campaign, { name });
  await stage.ok('accounts.update', { name });
  for (const [id, made] of [
    ['campaigns.list', campaign.id],
    ['line_items.list', lineItem.id],
    ['accounts.list', stage.account_id],
  ] as const) {
    expect(idsOf(await stage.many(id, { q: name })), id).toContain(made);
    for (const q of [`${name}q`, '']) {
      const outcome = await stage.call(id, { q });
      expect(outcome, `${id} ${q.length}`).toMatchObject({ ok: false, errors: [{ parameter: 'q' }] });
    }
  }
});

scenario('A-LIST-EVERY', async (stage) => {
  for (const operation of lists) {
    const id = operationId(operation);
    const base = await spread(stage, operation);
    const all = await stage.many(id, { ...base, count: 1000 });
    const page = await stage.call(id, { ...base, count: 2, with_total_count: true });
    expect(idsOf(Entities.parse(page.data)), id).toEqual(idsOf(all).slice(0, 2));
    expect(page, id).toMatchObject({ total_count: all.length, next_cursor: expect.any(String) });
    expect((await stage.call(id, base)).total_count, id).toBeUndefined();
    const { next_cursor: cursor } = page;
    expect(await stage.call(id, { ...base, cursor, with_total_count: true }), id).toMatchObject({ ok: false });
    for (const count of [0, 1001]) {
      expect(await stage.refused(id, { ...base, count }), id).toMatchObject([
        { code: 'INVALID_PARAMETER', parameter: 'count' },
      ]);
    }
  }
});
