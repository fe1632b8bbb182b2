/** Lists of audiences: specification B, Custom audiences, GET. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import { Entities, idsOf, walk } from '../lists/walking.ts';

const scenario = scenarios();

async function audiences(stage: Stage, names: readonly string[]): Promise<Entity[]> {
  const made: Entity[] = [];
  for (const name of names) {
    stage.world.clock.advance(1000);
    made.push(await stage.one('custom_audiences.create', { name }));
  }
  return made;
}

const namesOf = (entities: readonly Entity[]) => entities.map(({ name }) => name);

scenario('B-AUDIENCE-FILTER', async (stage) => {
  const [readers, reading, writers] = await audiences(stage, ['Readers', 'reading groups', 'Writers']);
  const list = async (params: Record<string, unknown>) => namesOf(await stage.many('custom_audiences.list', params));
  expect(await list({ q: 'READ' })).toEqual(['reading groups', 'Readers']);
  expect(await list({ q: 'readers' })).toEqual(['Readers']);
  expect(await list({ q: 'eaders' })).toEqual([]);
  expect(await list({ q: '%' })).toEqual([]);
  expect(await list({ custom_audience_ids: [writers?.id, 'nosuch', readers?.id] })).toEqual(['Writers', 'Readers']);
  expect(await list({ custom_audience_ids: [writers?.id, reading?.id], q: 'r' })).toEqual(['reading groups']);
  expect(await list({ permission_scope: 'OWNER' })).toEqual(await list({}));
  expect(await list({ permission_scope: 'SHARED' })).toEqual([]);
  const other = await stage.world.createAccount();
  expect(await list({ account_id: other, custom_audience_ids: [writers?.id] })).toEqual([]);
  await stage.ok('custom_audiences.delete', { custom_audience_id: writers?.id });
  expect(await list({ custom_audience_ids: [writers?.id] })).toEqual([]);
  expect(await list({ custom_audience_ids: [writers?.id], with_deleted: true })).toEqual(['Writers']);
});

scenario('B-AUDIENCE-FILTER-BOUNDS', async (stage) => {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`);
  expect(await stage.many('custom_audiences.list', { custom_audience_ids: ids(200) })).toEqual([]);
  expect(await stage.many('custom_audiences.list', { q: 'q'.repeat(255) })).toEqual([]);
  for (const [parameter, value] of [
    ['custom_audience_ids', ids(201)],
    ['q', ''],
    ['q', 'q'.repeat(256)],
    ['permission_scope', 'ALL'],
    ['count', 0],
    ['count', 1001],
    ['sort_by', ['audience_size-asc']],
  ] as const) {
    expect(await stage.rejected('custom_audiences.list', { [parameter]: value })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter },
    ]);
  }
});

scenario('B-AUDIENCE-LIST', async (stage) => {
  const made = await audiences(stage, ['d', 'B', 'a', 'C', 'e']);
  const newestFirst = idsOf(made).reverse();
  expect(idsOf(await stage.many('custom_audiences.list'))).toEqual(newestFirst);
  const pages = await walk(stage, 'custom_audiences.list', { count: 2 });
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(idsOf(pages.flat())).toEqual(newestFirst);
  const sorted = async (order: string) =>
    namesOf((await walk(stage, 'custom_audiences.list', { count: 2, sort_by: [order] })).flat());
  expect(await sorted('created_at-asc')).toEqual(['d', 'B', 'a', 'C', 'e']);
  expect(await sorted('name-asc')).toEqual([...(await sorted('name-desc'))].reverse());
  await stage.ok('custom_audiences.update', { custom_audience_id: made[1]?.id, description: 'x' });
  expect((await sorted('updated_at-desc'))[0]).toBe('e');
  stage.world.clock.advance(1000);
  await stage.ok('custom_audiences.update', { custom_audience_id: made[1]?.id, description: 'y' });
  expect((await sorted('updated_at-desc'))[0]).toBe('B');
  await stage.ok('custom_audiences.delete', { custom_audience_id: made[0]?.id });
  const counted = (params: Record<string, unknown>) =>
    stage.call('custom_audiences.list', { count: 1, with_total_count: true, ...params });
  expect(await counted({})).toMatchObject({ total_count: 4, next_cursor: expect.any(String) });
  expect(await counted({ with_deleted: true })).toMatchObject({ total_count: 5 });
  expect(await counted({ q: 'b' })).toMatchObject({ total_count: 1, next_cursor: null });
});

const change = fc.record({
  page: fc.nat(5),
  kind: fc.constantFrom('create', 'delete', 'rename'),
  at: fc.nat(30),
});

scenario('B-AUDIENCE-CURSOR', async (stage) => {
  const orders = fc.constantFrom('created_at-asc', 'created_at-desc', 'name-asc', 'name-desc');
  const count = fc.integer({ min: 1, max: 5 });
  await fc.assert(
    fc.asyncProperty(count, orders, fc.array(change, { maxLength: 8 }), async (count, order, changes) => {
      const account_id = await stage.world.createAccount();
      const create = (name: string) => stage.one('custom_audiences.create', { account_id, name });
      const before: Entity[] = [];
      for (let i = 0; i < 12; i++) before.push(await create(`${(i * 7) % 12} before`));
      const touched = new Set<string>();
      const inserted = new Set<string>();
      const seen: Entity[] = [];
      let cursor: string | null | undefined;
      for (let page = 0; page === 0 || cursor; page++) {
        const params = { account_id, count, sort_by: [order], ...(cursor ? { cursor } : {}) };
        // Changes go on while the page is read.
        const running = changes
          .filter((one) => one.page === page)
          .map(async ({ kind, at }, i) => {
            const target = before[at % before.length];
            if (kind === 'create') inserted.add((await create(`${at} ${page} ${i}`)).id);
            else if (target && !touched.has(target.id)) {
              touched.add(target.id);
              const named = { account_id, custom_audience_id: target.id };
              if (kind === 'delete') await stage.ok('custom_audiences.delete', named);
              else await stage.ok('custom_audiences.update', { ...named, name: `${at} renamed ${page} ${i}` });
            }
          });
        const outcome = await stage.call('custom_audiences.list', params);
        await Promise.all(running);
        seen.push(...Entities.parse(outcome.data));
        cursor = outcome.next_cursor;
      }
      const ids = idsOf(seen);
      const known = new Set(idsOf(before));
      // One that is renamed may be met again where its new name stands.
      const unmoved = ids.filter((id) => !touched.has(id) || !order.startsWith('name'));
      expect(new Set(unmoved).size, 'none twice').toBe(unmoved.length);
      expect(
        before.filter(({ id }) => !touched.has(id) && !ids.includes(id)),
        'none skipped',
      ).toEqual([]);
      expect(ids.filter((id) => !inserted.has(id) && !known.has(id))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});
