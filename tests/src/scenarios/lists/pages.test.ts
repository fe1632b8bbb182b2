/** Pages and cursors of lists: specification A, Lists. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Entity, scenarios } from '../../support/scenario.ts';
import { campaigns, Entities, idsOf, numbered, walk } from './walking.ts';

const scenario = scenarios();

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
    expect(await stage.rejected('campaigns.list', { count })).toMatchObject([
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
    const errors = await stage.rejected('campaigns.list', params);
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
