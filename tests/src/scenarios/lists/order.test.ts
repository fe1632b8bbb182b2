/** The order of lists: specification A, Lists. */
import { allOperations, type Operation, wireTypeOf } from '@broadside/core';
import { collatedName } from '@broadside/core/text';
import { expect } from 'vitest';
import { z } from 'zod';
import { pathNames } from '../../support/call.ts';
import { familyOf } from '../../support/families.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import { campaigns, idsOf, lists, mostOf, numbered, operationId, spread, walk } from './walking.ts';

const scenario = scenarios();

/** Returns a list in the required order: nulls below all values, equal values in the order of creation. */
function sorted(entities: readonly Entity[], attribute: string, direction: string): Entity[] {
  const created = [...entities].sort((a, b) => (BigInt(`0x${seq(a)}`) < BigInt(`0x${seq(b)}`) ? -1 : 1));
  const sign = direction === 'asc' ? 1 : -1;
  const oldestFirst = sign === 1 ? created : created.reverse();
  return oldestFirst.sort((a, b) => sign * compare(sortValueOf(a, attribute), sortValueOf(b, attribute)));
}

/** What an entity is ordered by. */
function sortValueOf(entity: Entity, attribute: string): unknown {
  return attribute === 'name' ? collatedName(String(entity[attribute])) : entity[attribute];
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
    const base = { ...needed, ...('with_deleted' in operation.params.shape ? { with_deleted: true } : {}) };
    // Accounts of other scenarios come and go below, so only a look at one instant can be compared.
    const all = await stage.many(id, { ...base, count: mostOf(id) });
    expect(all.length).toBeGreaterThanOrEqual(4);
    for (const order of ordersOf(operation)) {
      const [sorting = '', direction = ''] = order.split('-');
      // A detached one no longer runs, which is all that a response shows of it.
      const attribute = sorting === 'paused' ? 'deleted' : sorting;
      const listed = await stage.many(id, { ...base, sort_by: [order], count: mostOf(id) });
      const values = (entities: readonly Entity[]) => entities.map((entity) => sortValueOf(entity, attribute));
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
      const whole = await stage.many(id, { ...base, sort_by, count: mostOf(id) });
      const pages = await walk(stage, id, { ...base, sort_by, count: 3 });
      expect(idsOf(pages.flat()), `${id} ${sort_by.join()}`).toEqual(idsOf(whole));
    }
  }
});

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
