/** Permissions on an account, for each operation below one. */
import { allOperations, type capabilities, isRead, type Permission, permissions } from '@broadside/core';
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationRows } from '../requirements.ts';
import { requestFor, unknownParameterFound, validParams, withUnknownParameter } from '../support/call.ts';
import { familyFixtures } from '../support/families.ts';
import { about } from '../support/scenario.ts';
import { createAccountFixture, lastChange, openWorld, sharedFixtures } from '../support/world.ts';

let world: TestWorld;
let colleague: TestUser;
let stranger: TestUser;

beforeAll(async () => {
  world = await openWorld();
  colleague = await world.createUser('colleague');
  stranger = await world.createUser('stranger');
});
afterAll(() => world.close());

// Specification A, Authentication 6, in literals, so that a slip in `capabilities` shows.
const mayRead: readonly Permission[] = ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER', 'CAMPAIGN_ANALYST'];
const mayUse: Readonly<Record<keyof typeof capabilities, readonly Permission[]>> = {
  'account.read': [...mayRead, 'ANALYST', 'PARTNER_AUDIENCE_MANAGER'],
  'account.write': ['ACCOUNT_ADMIN'],
  'access.manage': ['ACCOUNT_ADMIN'],
  'campaigns.read': mayRead,
  'campaigns.write': ['ACCOUNT_ADMIN', 'AD_MANAGER'],
  'audience.estimate': [...mayRead, 'ANALYST'],
  'creatives.read': mayRead,
  'creatives.write': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER'],
  'audiences.read': [...mayRead, 'PARTNER_AUDIENCE_MANAGER'],
  'audiences.write': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'PARTNER_AUDIENCE_MANAGER'],
};

const composed = new Set([...familyFixtures().values()].flatMap(({ composes }) => composes ?? []));

const belowAccount = allOperations.flatMap((operation, index) =>
  'capability' in operation.access
    ? [{ id: operation.id, operation, capability: operation.access.capability, index }]
    : [],
);

const isLong = process.env['BROADSIDE_TEST_LONG'] !== undefined;

test.for(allOperations.map((operation) => ({ id: operation.id, operation })))(
  `${about('C-PERMISSIONS-EVERY')}: $id`,
  ({ id, operation: { access } }) => {
    expect('capability' in access ? access.capability : undefined).toBe(operationRows.get(id)?.capability);
  },
);

const shared = sharedFixtures(() => world);
const deleted = sharedFixtures(
  () => world,
  ({ account_id }) => world.request({ method: 'DELETE', path: `/12/accounts/${account_id}` }),
);

describe.for(belowAccount)('$id', ({ operation, capability, index }) => {
  const may = mayUse[capability];
  // What an operation changes is changed by one of them, by another one at the next operation; the others are let through to it. All change it
  // where BROADSIDE_TEST_LONG is set, or where a user needs more than the permission.
  const performs = (permission: Permission) =>
    isRead(operation) || isLong || composed.has(operation.id) || permission === may[index % may.length];

  test.for(permissions)(`${about('A-PERMISSIONS')}: %s`, async (permission) => {
    const isPerformed = may.includes(permission) && performs(permission);
    const changes = isPerformed && !isRead(operation);
    const fixture = changes ? await createAccountFixture(world, 'sandbox', operation) : await shared(operation);
    const beside = composed.has(operation.id) ? (['POST_COMPOSER'] as const) : [];
    await world.grant(fixture.account_id, colleague, [permission, ...beside]);
    const before = await lastChange(world);
    const request = { ...requestFor(operation, validParams(operation, fixture)), as: colleague };
    const answer = await world.request(
      may.includes(permission) && !isPerformed ? withUnknownParameter(request) : request,
    );
    if (isPerformed) {
      expect(answer.status, answer.text).toBe(200);
      return;
    }
    if (may.includes(permission)) expect(answer).toMatchObject(unknownParameterFound);
    else {
      expect(answer).toMatchObject({ status: 403, body: { errors: [{ code: 'ACTION_NOT_ALLOWED' }] } });
      expect(answer.text).toContain(permission);
    }
    expect(await lastChange(world)).toBe(before);
  });

  test(about('A-ACCOUNT-OF-CALLER'), async () => {
    const fixture = await shared(operation);
    const missing = { ...fixture, account_id: '1nosuchacct' };
    const before = await lastChange(world);
    const [foreign, unknown] = await Promise.all(
      [fixture, missing].map((named) =>
        world.request({ ...requestFor(operation, validParams(operation, named)), as: stranger }),
      ),
    );
    expect(foreign).toMatchObject({
      status: 403,
      body: { errors: [{ code: 'ACCOUNT_NOT_FOUND', parameter: 'account_id', value: fixture.account_id }] },
    });
    const anonymous = (text: string | undefined) => text?.replaceAll(fixture.account_id, missing.account_id);
    expect(anonymous(foreign?.text)).toBe(unknown?.text);
    expect(Object.keys(foreign?.headers ?? {}).sort()).toEqual(Object.keys(unknown?.headers ?? {}).sort());
    expect(await lastChange(world)).toBe(before);
  });

  test('responds as if a deleted account did not exist, except to its former users', async () => {
    const request = requestFor(operation, validParams(operation, await deleted(operation)));
    expect(await world.request({ ...request, as: stranger })).toMatchObject({ status: 403 });
    expect(await world.request(request)).toMatchObject({
      status: 404,
      body: { errors: [{ code: 'ACCOUNT_NOT_FOUND', parameter: 'account_id' }] },
    });
  });

  test('stops answering once access is revoked', async () => {
    const fixture = await shared(operation);
    await world.grant(fixture.account_id, colleague, ['ACCOUNT_ADMIN']);
    const path = `/12/accounts/${fixture.account_id}`;
    expect((await world.request({ path, as: colleague })).status).toBe(200);
    const actor = { user_id: null, platform: 'OPERATOR' } as const;
    await world.platform.ads.sandbox.revoke(actor, fixture.account_id, colleague.user_id);
    const request = requestFor(operation, validParams(operation, fixture));
    expect(await world.request({ ...request, as: colleague })).toMatchObject({
      status: 403,
      body: { errors: [{ code: 'ACCOUNT_NOT_FOUND' }] },
    });
  });

  test('does not see an account of the other environment', async () => {
    const { account_id } = world.credentials;
    const fixture = await shared(operation);
    const request = requestFor(operation, validParams(operation, { ...fixture, account_id }));
    expect(await world.request({ ...request, listener: 'sandbox' })).toMatchObject({
      status: 403,
      body: { errors: [{ code: 'ACCOUNT_NOT_FOUND' }] },
    });
  });
});

test('POST_COMPOSER adds nothing to what another permission lets a user do here', async () => {
  for (const permission of mayRead) {
    const fixture = await createAccountFixture(world);
    const statuses: number[][] = [];
    for (const held of [[permission], [permission, 'POST_COMPOSER' as const]]) {
      await world.grant(fixture.account_id, colleague, held);
      const answers = await Promise.all(
        ['', '/campaigns', '/features'].map((rest) =>
          world.request({ path: `/12/accounts/${fixture.account_id}${rest}`, as: colleague }),
        ),
      );
      statuses.push(answers.map(({ status }) => status));
    }
    expect(statuses[0]).toEqual(statuses[1]);
  }
});

test('an id of one account opens nothing in another', async () => {
  const [mine, theirs] = [await createAccountFixture(world), await createAccountFixture(world)];
  for (const name of ['campaign', 'line_item', 'funding_instrument'] as const) {
    const answer = await world.request({ path: `/12/accounts/${mine.account_id}/${name}s/${theirs[`${name}_id`]}` });
    expect(answer, name).toMatchObject({ status: 404, body: { errors: [{ parameter: `${name}_id` }] } });
  }
});
