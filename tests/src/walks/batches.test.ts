/** Every batch: an item that cannot be read leaves the others to be tried, and nothing is kept of those that succeed. */
import { allOperations } from '@broadside/core';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { member } from '../support/body.ts';
import { requestFor, validParams } from '../support/call.ts';
import { about } from '../support/scenario.ts';
import { createAccountFixture, lastChange, openWorld } from '../support/world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const batches = allOperations.filter(({ batch }) => batch);

test.for(batches.map((operation) => [operation.id, operation] as const))(
  `%s: ${about('T-BATCH-FAULTS')}`,
  async ([, operation]) => {
    const fixture = await createAccountFixture(world, 'sandbox', operation);
    const valid = validParams(operation, fixture);
    const operations = z.array(z.looseObject({})).parse(valid['operations']);
    const before = await lastChange(world);
    const wrong = { operation_type: 'No', params: {} };
    const request = requestFor(operation, { ...valid, operations: [...operations, wrong] });
    const { status, body, text } = await world.request(request);
    expect(status, text).toBe(400);
    const errors = z.array(z.array(z.looseObject({}))).parse(member(body, 'operation_errors'));
    expect(errors.map((list) => list.length > 0)).toEqual([...operations.map(() => false), true]);
    expect(await lastChange(world)).toBe(before);
    // The same without it succeeds, so that it was tried.
    const alone = await world.request(requestFor(operation, { ...valid, operations }));
    expect(alone.status, alone.text).toBe(200);
    expect((await lastChange(world)) > before || operation.batch?.users !== undefined).toBe(true);
  },
);
