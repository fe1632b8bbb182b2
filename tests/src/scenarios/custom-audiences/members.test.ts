/** Members of audiences as sizes and estimates count them, from their upload on: specification B; ADR 0011, ADR 0015. */
import type { TestWorld } from '@broadside/testkit';
import { expect } from 'vitest';
import { hashed } from '../../support/members.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import { inOneBusiness, sibling } from '../../support/sharing.ts';

const scenario = scenarios();

const PEOPLE = 1400;
/** Ids of the people, which no others in the world have. */
const FIRST_ID = 6_000_000_000_000_000_000n;
const DAY_MS = 86_400_000;

const filled = new WeakSet<TestWorld>();

/** Creates people, of whom the odd ones speak French. */
async function populate(world: TestWorld): Promise<void> {
  if (filled.has(world)) return;
  filled.add(world);
  await world.platform.seeds.write((writer) =>
    writer.run(
      `INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at, languages)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${PEOPLE - 1})
       SELECT CAST(${FIRST_ID} + i AS TEXT), 'Reader' || i, 'reader' || i, 'Reader', '', ?,
         CASE i % 2 WHEN 1 THEN '["fr"]' ELSE '["en"]' END FROM n`,
      [new Date(world.clock.now()).toISOString()],
    ),
  );
}

const byId = (i: number) => ({ platform_id: [hashed(`${FIRST_ID + BigInt(i)}`)] });
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

async function send(stage: Stage, audience: Entity, ...operations: readonly object[]): Promise<void> {
  await populate(stage.world);
  const sent = { custom_audience_id: audience.id, operations } as never;
  const outcome = await stage.call('custom_audiences.users', sent);
  expect([outcome.errors, outcome.operation_errors]).toEqual([[], undefined]);
}

const update = (people: readonly number[], times: object = {}) => ({
  operation_type: 'Update',
  params: { users: people.map(byId), ...times },
});

/** Lets what is due be done, after a time. */
async function after(stage: Stage, ms = 1000): Promise<void> {
  stage.world.clock.advance(ms);
  await stage.world.platform.jobs.runDue();
}

async function audienceOf(stage: Stage, name: string, people: readonly number[]): Promise<Entity> {
  const audience = await stage.one('custom_audiences.create', { name });
  await send(stage, audience, update(people));
  await after(stage);
  return audience;
}

const stateOf = async (stage: Stage, { id }: Entity) => {
  const { audience_size, targetable, reasons_not_targetable } = await stage.one('custom_audiences.get', {
    custom_audience_id: id,
  });
  return [audience_size, targetable, reasons_not_targetable];
};

const isIn = ({ id }: Entity) => ({ targeting_type: 'CUSTOM_AUDIENCE', targeting_value: id });
const notIn = (audience: Entity) => ({ ...isIn(audience), operator_type: 'NE' });
const french = { targeting_type: 'LANGUAGE', targeting_value: 'fr' };

async function estimate(stage: Stage, ...targeting_criteria: readonly object[]): Promise<unknown> {
  const found = await stage.ok('audience_estimate.create', { targeting_criteria } as never);
  return (found as { readonly audience_size: { readonly min: number } }).audience_size.min;
}

scenario('B-MEMBERS-STATES', async (stage) => {
  const audience = await stage.one('custom_audiences.create', { name: 'Readers' });
  expect(await stateOf(stage, audience)).toEqual([null, false, ['PROCESSING', 'TOO_SMALL']]);
  await after(stage);
  expect(await stateOf(stage, audience)).toEqual([null, false, ['TOO_SMALL']]);
  await send(stage, audience, update(numbers(0, 99)));
  expect(await stateOf(stage, audience)).toEqual([null, false, ['PROCESSING', 'TOO_SMALL']]);
  await after(stage);
  expect(await stateOf(stage, audience)).toEqual([null, false, ['TOO_SMALL']]);
  await send(stage, audience, update(numbers(99, 129)), update([5000, 5001]));
  await after(stage);
  expect(await stateOf(stage, audience)).toEqual([120, true, []]);
  // While it is processed again, it stays what it was.
  await send(stage, audience, { ...update(numbers(0, 60)), operation_type: 'Delete' });
  expect(await stateOf(stage, audience)).toEqual([120, true, ['PROCESSING']]);
  await after(stage);
  expect(await stateOf(stage, audience)).toEqual([null, false, ['TOO_SMALL']]);
});

scenario('B-MEMBERS-TIMES', async (stage) => {
  const audience = await stage.one('custom_audiences.create', { name: 'Readers' });
  const at = (days: number) => new Date(stage.world.clock.now() + days * DAY_MS).toISOString().replace(/\.\d+Z/, 'Z');
  await send(
    stage,
    audience,
    update(numbers(0, 150), { expires_at: at(2) }),
    update(numbers(100, 400), { effective_at: at(1), expires_at: at(3) }),
  );
  await after(stage);
  const sizes: unknown[] = [];
  for (let days = 0; days < 4; days++) {
    const [size] = await stateOf(stage, audience);
    sizes.push(size);
    await after(stage, DAY_MS);
  }
  expect(sizes).toEqual([150, 400, 300, null]);
});

scenario('B-MEMBERS-ESTIMATE', async (stage) => {
  const [readers, writers] = [
    await audienceOf(stage, 'Readers', numbers(0, 1200)),
    await audienceOf(stage, 'Writers', numbers(1100, 1300)),
  ];
  expect(await estimate(stage, isIn(readers))).toBe(1200);
  expect(await estimate(stage, isIn(readers), isIn(writers))).toBe(1300);
  expect(await estimate(stage, isIn(readers), notIn(writers))).toBe(1100);
  expect(await estimate(stage, isIn(readers), french)).toBe(0);
  const expanded = { ...isIn(readers), targeting_type: 'CUSTOM_AUDIENCE_EXPANDED' };
  expect(await estimate(stage, expanded)).toBe(1200);
  // An estimate counts members as soon as they are merged, before the audience is processed.
  await send(stage, readers, update(numbers(1200, PEOPLE)));
  await stage.world.platform.members.settle(`sandbox/${readers.id}`);
  expect(await estimate(stage, isIn(readers))).toBe(1400);
});

scenario('B-MEMBERS-FLEXIBLE', async (stage) => {
  const readers = await audienceOf(stage, 'Readers', numbers(0, 1200));
  const writers = await audienceOf(stage, 'Writers', numbers(1000, 1100));
  const leaf = ({ id }: Entity, more: object = {}) => ({ custom_audience_id: id, ...more });
  const params = {
    name: 'Readers who do not write',
    audience_type: 'FLEXIBLE',
    segments: { boolean_operator: 'AND', child_segments: [leaf(readers), leaf(writers, { negate: true })] },
  };
  const made = await stage.ok('custom_audiences.batch', {
    operations: [{ operation_type: 'Create', params }],
  } as never);
  const [flexible] = made as unknown as readonly [Entity];
  expect(await stateOf(stage, flexible)).toEqual([null, false, ['PROCESSING', 'TOO_SMALL']]);
  await after(stage);
  expect(await stateOf(stage, flexible)).toEqual([1100, true, []]);
  expect(await estimate(stage, isIn(flexible))).toBe(1100);
  // It follows its leaves.
  await send(stage, writers, update(numbers(0, 100)));
  await after(stage);
  expect(await stateOf(stage, flexible)).toEqual([1000, true, []]);
  await stage.ok('custom_audiences.delete', { custom_audience_id: writers.id });
  await stage.world.platform.jobs.runDue();
  expect(await stateOf(stage, flexible)).toEqual([1200, true, []]);
});

scenario('B-MEMBERS-OTHERS', async (stage) => {
  const readers = await audienceOf(stage, 'Readers', numbers(0, 1250));
  const account_id = await sibling(stage);
  await inOneBusiness(stage.world, [stage.account_id, account_id]);
  await stage.ok('custom_audience_permissions.create', {
    custom_audience_id: readers.id,
    granted_account_id: account_id,
    permission_level: 'READ_ONLY',
  });
  // Within a step of the rounding, and the same each time that the same is asked.
  const asked = () =>
    stage.ok('audience_estimate.create', { account_id, targeting_criteria: [isIn(readers)] } as never);
  const [first, second] = [await asked(), await asked()];
  expect(second).toEqual(first);
  const { min } = (first as { readonly audience_size: { readonly min: number } }).audience_size;
  expect([1100, 1200, 1300]).toContain(min);
  const sizes = new Set<unknown>();
  for (let i = 0; i < 12; i++) {
    // Somebody is added who is there already.
    await send(stage, readers, update([i]));
    await after(stage);
    const seen = await stage.one('custom_audiences.get', { account_id, custom_audience_id: readers.id });
    sizes.add(seen['audience_size']);
  }
  expect(sizes.size).toBeGreaterThan(1);
  for (const size of sizes) expect([1100, 1200, 1300]).toContain(size);
  expect(await stateOf(stage, readers)).toEqual([1200, true, []]);
});

scenario('B-MEMBERS-REMATCHED', async (stage) => {
  const audience = await stage.one('custom_audiences.create', { name: 'By handle' });
  await populate(stage.world);
  const users = numbers(0, 110).map((i) => ({ handle: [hashed(`reader${i}`)] }));
  await send(stage, audience, { operation_type: 'Update', params: { users } });
  await after(stage);
  expect(await stateOf(stage, audience)).toEqual([110, true, []]);
  const rename = (from: string, to: string) =>
    stage.world.platform.seeds.write((writer) =>
      writer.run(
        `UPDATE users SET screen_name = replace(screen_name, ?, ?) WHERE CAST(id AS INTEGER) BETWEEN ${FIRST_ID} AND ${FIRST_ID} + 19`,
        [from, to],
      ),
    );
  await rename('Reader', 'Former');
  await send(stage, audience, { operation_type: 'Delete', params: { users: [{ handle: [hashed('nobody')] }] } });
  await after(stage);
  expect(await stateOf(stage, audience)).toEqual([null, false, ['TOO_SMALL']]);
  await rename('Former', 'Reader');
  await send(stage, audience, { operation_type: 'Delete', params: { users: [{ handle: [hashed('nobody')] }] } });
  await after(stage);
  expect(await stateOf(stage, audience)).toEqual([110, true, []]);
});

scenario('B-MEMBERS-NOT-REACHED', async (stage) => {
  const readers = await audienceOf(stage, 'Readers', numbers(0, 1300));
  const emailOf = (i: number) => `reader${i}@example.com`;
  await stage.world.platform.seeds.write((writer) =>
    writer.run(`UPDATE users SET email = screen_name_folded || '@example.com' WHERE screen_name_folded LIKE 'reader%'`),
  );
  const list = await stage.one('do_not_reach_lists.create', {});
  const operation = (operation_type: string) => ({
    operation_type,
    params: { users: numbers(0, 200).map((i) => ({ email: [hashed(emailOf(i))] })) },
  });
  const change = (operation_type: string) =>
    stage.ok('do_not_reach_lists.users', {
      do_not_reach_list_id: list.id,
      operations: [operation(operation_type)],
    } as never);
  await change('Update');
  await after(stage);
  expect(await estimate(stage, isIn(readers))).toBe(1100);
  expect(await estimate(stage, notIn(readers), french)).toBe(0);
  // They leave no audience.
  expect(await stateOf(stage, readers)).toEqual([1300, true, []]);
  const account_id = await sibling(stage);
  const anyone = { targeting_type: 'EXACT_KEYWORD', targeting_value: 'nobody wrote this', operator_type: 'NE' };
  const elsewhere = async () => {
    const found = await stage.ok('audience_estimate.create', { account_id, targeting_criteria: [anyone] } as never);
    return (found as { readonly audience_size: { readonly min: number } }).audience_size.min;
  };
  expect(await elsewhere()).toBeGreaterThan(Number(await estimate(stage, anyone)));
  await change('Delete');
  await after(stage);
  expect(await estimate(stage, isIn(readers))).toBe(1300);
  await change('Update');
  await stage.ok('do_not_reach_lists.delete', { do_not_reach_list_id: list.id });
  await after(stage);
  expect(await estimate(stage, isIn(readers))).toBe(1300);
});
