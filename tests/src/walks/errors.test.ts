/** Every error that an operation declares can be met: a client that handles it does not handle it in vain. */
import { allOperations, type ErrorName, errorCode, errorStatus, isRead, type Operation } from '@broadside/core';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { impliedErrors } from '../support/answers.ts';
import { type CallParams, pathNames, requestFor, validParams } from '../support/call.ts';
import { familyFixtures, familyOf, provocationOf } from '../support/families.ts';
import { fillQuotas } from '../support/quotas.ts';
import { type AccountFixture, createAccountFixture, openWorld, sharedFixtures } from '../support/world.ts';

let world: TestWorld;

beforeAll(async () => {
  // Enough for the density of scheduled posts, so that both limits can be met.
  world = await openWorld({ quotas: { scheduled_posts: 31 } });
});
afterAll(() => world.close());

/** Provocations of the errors of most families: an unknown id, more items than a batch may hold. */
function usualProvocation(operation: Operation, name: ErrorName): CallParams | undefined {
  const { batch } = operation;
  if (name === 'REQUEST_TOO_COMPLEX' && batch) return { operations: Array.from({ length: batch.max + 1 }, () => ({})) };
  if (name === 'NOT_FOUND') {
    const last = pathNames(operation).findLast((parameter) => parameter !== 'account_id');
    return last === undefined ? undefined : { [last]: '1' };
  }
  const [, entity] = /^(\w+)_NOT_FOUND$/.exec(name) ?? [];
  return entity === undefined ? undefined : { [`${entity.toLowerCase()}_id`]: 'nosuch' };
}

/** Whether an error is brought about by having as much as an account may have. */
function fillsQuotas(operation: Operation, name: ErrorName): boolean {
  return name === 'QUOTA_EXCEEDED' && provocationOf(operation, name) === undefined;
}

async function provoke(fixture: AccountFixture, operation: Operation, name: ErrorName): Promise<CallParams> {
  const own = provocationOf(operation, name);
  if (fillsQuotas(operation, name)) {
    await fillQuotas(world, fixture.account_id);
    return {};
  }
  const params = own ? await own(world, fixture, operation) : usualProvocation(operation, name);
  if (params) return params;
  throw new TypeError(`tests/src/fixtures: the fixture of ${familyOf(operation)} needs a provocation of ${name}`);
}

/** Converts the parameters of a single call to an item of a batch: a deletion when they name the entity itself. */
function asBatch(operation: Operation, valid: CallParams, params: CallParams): CallParams {
  const { batch } = operation;
  if (!batch || 'operations' in params || isInPath(operation, params)) return params;
  if (Object.keys(batch.Delete?.shape ?? {}).some((name) => name in params)) {
    return { operations: [{ operation_type: 'Delete', params }] };
  }
  const [item] = z.array(z.looseObject({ params: z.looseObject({}) })).parse(valid['operations']);
  return { operations: [{ ...item, params: { ...item?.params, ...params } }] };
}

function isInPath(operation: Operation, params: CallParams): boolean {
  return Object.keys(params).every((name) => pathNames(operation).includes(name));
}

function isOutOfReach(operation: Operation, name: ErrorName): boolean {
  return familyFixtures().get(familyOf(operation))?.outOfReach?.[operation.id]?.includes(name) ?? false;
}

const declared = allOperations.flatMap((operation) => {
  const implied = impliedErrors(operation);
  return operation.errors
    .filter((name) => !implied.includes(name) && !isOutOfReach(operation, name))
    .map((name) => ({ id: operation.id, name, operation }));
});

const shared = sharedFixtures(() => world);

describe('an operation can answer what it declares', () => {
  test.for(declared)('$id: $name', async ({ operation, name }) => {
    const changes = fillsQuotas(operation, name) || provocationOf(operation, name) !== undefined;
    const fixture = changes ? await createAccountFixture(world, 'sandbox', operation) : await shared(operation);
    const params = await provoke(fixture, operation, name);
    const valid = validParams(operation, fixture);
    const given = { ...valid, ...asBatch(operation, valid, params) };
    const answer = await world.request(requestFor(operation, given, isRead(operation) ? 'query' : 'form'));
    expect(answer.status, answer.text).toBe(
      operation.batch && name !== 'REQUEST_TOO_COMPLEX' && !isInPath(operation, params) ? 400 : errorStatus(name),
    );
    expect(answer.text).toContain(`"code":"${errorCode(name)}"`);
  });
});

/** What is created, but for that of which `declared` tries the same. */
const creating = allOperations.filter(
  ({ id, http, sandboxOnly }) =>
    http.method === 'POST' &&
    !sandboxOnly &&
    !declared.some((one) => one.id === id && fillsQuotas(one.operation, one.name)),
);

test.for(creating.map((operation) => ({ id: operation.id, operation })))(
  '$id answers an account that has as much as it may have with what it declares',
  async ({ operation }) => {
    const fixture = await createAccountFixture(world, 'sandbox', operation);
    await fillQuotas(world, fixture.account_id);
    const answer = await world.request(requestFor(operation, validParams(operation, fixture), 'form'));
    const isLimited = operation.errors.includes('QUOTA_EXCEEDED') && !answer.text.includes('"data"');
    expect(answer.status, answer.text).toBeOneOf(isLimited ? [400] : [200, 201, 202]);
  },
);
