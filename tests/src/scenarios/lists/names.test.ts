/** Lists by name: our choice of their order, see ADR 0003. */
import { allOperations, encodeCursor, isStorable, type Operation } from '@broadside/core';
import { collatedName } from '@broadside/core/text';
import fc from 'fast-check';
import { expect } from 'vitest';
import { pathNames } from '../../support/call.ts';
import { familyOf } from '../../support/families.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import { campaigns, idsOf, lists, mostOf, numbered, operationId, spread, walk } from './walking.ts';

const scenario = scenarios();

/** In their order; no two of them are equal without case, which audiences would not take. */
const ORDERED = [
  '2 für 1',
  'a',
  'Ärger',
  'argument',
  'B',
  'Ｂaum',
  'Éa',
  'ea 2',
  'été',
  'Œuvre',
  'Z',
  'zoo',
  'Дом',
  '日本',
];

const byName = lists.filter(({ params }) => {
  const { success } = params.shape['sort_by']?.safeParse(['name-asc']) ?? { success: false };
  return success;
});

/** Names what a list has, in a way that no simpler order gives by chance. @returns false where names cannot be chosen */
async function rename(stage: Stage, list: Operation, all: readonly Entity[]): Promise<boolean> {
  const update = allOperations.find(({ id }) => id === `${familyOf(list)}.update`);
  const parameter = update && pathNames(update).at(-1);
  if (!update || parameter === undefined) return false;
  for (const [place, { id }] of all.entries()) {
    await stage.ok(operationId(update), { [parameter]: id, name: ORDERED[(place * 5 + 2) % ORDERED.length] });
  }
  return true;
}

scenario('T-SORT-NAMES', async (stage) => {
  expect(byName.length).toBeGreaterThan(6);
  let renamed = 0;
  for (const list of byName) {
    const id = operationId(list);
    const { with_deleted: _, ...needed } = await spread(stage, list);
    const params = { ...needed, count: mostOf(id) };
    if (!(await rename(stage, list, await stage.many(id, params)))) continue;
    renamed++;
    const rank = ({ name }: Entity) => ORDERED.indexOf(String(name));
    for (const [order, sign] of [
      ['name-asc', 1],
      ['name-desc', -1],
    ] as const) {
      // Accounts of other scenarios come meanwhile.
      const ranks = (await stage.many(id, { ...params, sort_by: [order] })).map(rank).filter((one) => one >= 0);
      expect(new Set(ranks).size).toBeGreaterThan(3);
      expect(ranks, `${id} ${order}`).toEqual(ranks.toSorted((one, other) => sign * (one - other)));
    }
  }
  expect(renamed).toBeGreaterThan(5);
  // Equal but for case: in the order of creation, or against it.
  const same = await campaigns(stage, ['über', 'ÜBER', 'U\u0308ber', 'Über']);
  const listed = async (order: string) => idsOf(await stage.many('campaigns.list', { q: 'ü', sort_by: [order] }));
  expect(await listed('name-asc')).toEqual(idsOf(same));
  expect(await listed('name-desc')).toEqual(idsOf(same).toReversed());
});

interface Named {
  readonly id: string;
  readonly name: string;
  readonly budget: number | null;
  readonly deleted: boolean;
  readonly draft: boolean;
}

const SIZE = 14;
const word = fc.oneof(
  fc.constantFrom(
    'Sale',
    'sale',
    'SALE',
    'Säle',
    'säle 2',
    'é',
    'E',
    'e\u0301',
    'ß',
    'ss',
    'z\u{1F600}',
    'z\uFFFD',
    ' ',
    '"',
  ),
  fc.string({ unit: fc.constantFrom(...'aAäÄbBß1 '), minLength: 1, maxLength: 3 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).filter(isStorable),
);
const asked = fc.record({
  sort_by: fc.constantFrom(
    ['name-asc'],
    ['name-desc'],
    ['name-asc', 'daily_budget_amount_local_micro-desc'],
    ['name-desc', 'created_at-asc'],
    ['daily_budget_amount_local_micro-asc', 'name-desc'],
    ['deleted-desc', 'name-asc', 'daily_budget_amount_local_micro-asc'],
  ),
  count: fc.integer({ min: 1, max: SIZE + 1 }),
  with_deleted: fc.boolean(),
  with_draft: fc.boolean(),
  q: fc.option(fc.constantFrom('sal', 'SÄ', 'a'), { nil: undefined }),
});

/** The records of a page in their order, by the plainest means. @param all in the order of creation */
function expectedOf(
  all: readonly Named[],
  { sort_by, with_deleted, with_draft, q }: typeof asked extends fc.Arbitrary<infer A> ? A : never,
) {
  const compareOne: Readonly<Record<string, (one: Named, other: Named) => number>> = {
    name: (one, other) => Buffer.compare(Buffer.from(collatedName(one.name)), Buffer.from(collatedName(other.name))),
    daily_budget_amount_local_micro: (one, other) => (one.budget ?? -1) - (other.budget ?? -1),
    deleted: (one, other) => Number(one.deleted) - Number(other.deleted),
    created_at: (one, other) => all.indexOf(one) - all.indexOf(other),
  };
  const signOf = (order: string) => (order.endsWith('-desc') ? -1 : 1);
  const isBegun = (name: string) => q === undefined || name.normalize('NFC').toUpperCase().startsWith(q.toUpperCase());
  return all
    .filter(({ deleted, draft, name }) => (with_deleted || !deleted) && (with_draft || !draft) && isBegun(name))
    .toSorted((one, other) => {
      for (const order of sort_by) {
        const compared = compareOne[order.slice(0, order.lastIndexOf('-'))]?.(one, other) ?? 0;
        if (compared !== 0) return signOf(order) * compared;
      }
      return signOf(sort_by[0] ?? '') * (all.indexOf(one) - all.indexOf(other));
    })
    .map(({ id }) => id);
}

scenario('T-SORT-NAMES-PAGES', async (stage) => {
  const all: Named[] = [];
  for (let place = 0; place < SIZE; place++) {
    const budget = place % 3 === 0 ? undefined : (place % 2) + 1;
    const draft = place % 5 === 1;
    stage.world.clock.advance(1000);
    const { id } = await stage.campaign({
      name: 'x',
      ...(budget === undefined
        ? { budget_optimization: 'LINE_ITEM' }
        : { daily_budget_amount_local_micro: budget * 1_000_000 }),
      ...(draft ? { entity_status: 'DRAFT' } : {}),
    });
    all.push({ id, name: 'x', budget: budget ?? null, deleted: place % 7 === 3, draft });
  }
  // A deleted campaign keeps the name that it had.
  for (const [place, one] of all.entries()) {
    if (!one.deleted) continue;
    all[place] = { ...one, name: place % 2 === 0 ? 'SALE' : 'sÄle' };
    await stage.ok('campaigns.update', { campaign_id: one.id, name: all[place].name });
    await stage.ok('campaigns.delete', { campaign_id: one.id });
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: SIZE, maxLength: SIZE }),
      fc.array(asked, { minLength: 4, maxLength: 8 }),
      async (names, requests) => {
        for (const [place, one] of all.entries()) {
          const name = names[place];
          if (one.deleted || name === undefined || name === one.name) continue;
          await stage.ok('campaigns.update', { campaign_id: one.id, name });
          all[place] = { ...one, name };
        }
        for (const params of requests) {
          const { q, ...given } = params;
          const pages = await walk(stage, 'campaigns.list', { ...given, ...(q === undefined ? {} : { q }) });
          expect(idsOf(pages.flat()), JSON.stringify(params)).toEqual(expectedOf(all, params));
          expect(pages.slice(0, -1).every(({ length }) => length === params.count)).toBe(true);
        }
      },
    ),
    { numRuns: 12 },
  );
});

scenario('T-SORT-NAMES-LONG', async (stage) => {
  const units = ['\uFDFA', '語é', '\u0001', '"', '\u{1F600}é', 'ΐ', 'a'];
  const names = units.flatMap((unit) => ['a', 'b'].map((end) => [...unit.repeat(254)].slice(0, 254).join('') + end));
  const made = await campaigns(stage, names);
  for (const sort_by of [['name-asc'], ['name-desc', 'total_budget_amount_local_micro-asc', 'updated_at-desc']]) {
    const pages = await walk(stage, 'campaigns.list', { sort_by, count: 1 });
    expect(idsOf(pages.flat()).toSorted()).toEqual(idsOf(made).toSorted());
  }
});

scenario('T-CURSOR-OLDER', async (stage) => {
  await campaigns(stage, numbered(3));
  for (const list of byName) {
    const id = operationId(list);
    const needed = await spread(stage, list);
    const cursor = encodeCursor({ order: 'name-asc', after: ['Campaign 0', 1n] });
    const errors = await stage.rejected(id, { ...needed, sort_by: ['name-asc'], cursor });
    expect(errors, id).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'cursor' }]);
  }
});
