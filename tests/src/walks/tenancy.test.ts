/**
 * Records of one account do not exist for another: for each operation below an account and each parameter that names something
 * inside one, an id of another account has exactly the response of an unknown id.
 */
import { allOperations, type Operation } from '@broadside/core';
import type { Answer, TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestFor, validParams } from '../support/call.ts';
import { familyFixtures } from '../support/families.ts';
import { about } from '../support/scenario.ts';
import { type AccountFixture, openWorld, sharedFixtures } from '../support/world.ts';

let world: TestWorld;
let owner: TestUser;
let neighbour: TestUser;

beforeAll(async () => {
  world = await openWorld();
  owner = await world.createUser('owner');
  neighbour = await world.createUser('neighbour');
});
afterAll(() => world.close());

/** Ids of the platform belong to no account: anybody may name users, posts and curated categories. */
const ofPlatform = new Set([...familyFixtures().values()].flatMap(({ platformIds }) => platformIds ?? []));

const INVENTED = '1nosuchthing';

/** The names of the parameters of an operation that name something inside an account, each with its fixture's member. */
function namesInside(
  { params, batch }: Operation,
  fixture: AccountFixture,
): { name: string; member: string; item?: string }[] {
  const inside = (fields: readonly string[]) =>
    fields.flatMap((name) => {
      const member = [name, name.replace(/s$/, '')].find((candidate) => candidate in fixture);
      return member === undefined || ofPlatform.has(name) ? [] : [{ name, member }];
    });
  const items = (['Create', 'Update', 'Delete'] as const).flatMap((item) =>
    inside(Object.keys(batch?.[item]?.shape ?? {})).map((found) => ({ ...found, item })),
  );
  return [...inside(Object.keys(params.shape)), ...items];
}

const belowAccount = allOperations.filter(({ access }) => 'capability' in access);

/** Returns a response without the id that it repeats. */
const impersonal = ({ status, text }: Answer, id: unknown) => ({ status, text: text.replaceAll(String(id), 'ID') });

/** The changes that an account has seen. */
async function changesOf(account_id: string): Promise<unknown> {
  const { database } = world.platform.ads.sandbox;
  const [row] = await database.query('SELECT count(*) FROM "change_log" WHERE "account_id" = ?', [account_id]);
  return row?.[0];
}

function paramsWith(
  operation: Operation,
  fixture: AccountFixture,
  named: { name: string; item?: string },
  value: unknown,
) {
  const params = validParams(operation, fixture);
  if (named.item === undefined) return { ...params, [named.name]: named.name.endsWith('s') ? [value] : value };
  const example: unknown = Array.isArray(params['operations']) ? params['operations'][0] : undefined;
  const own =
    typeof example === 'object' && example !== null && named.item === 'Create' ? Reflect.get(example, 'params') : {};
  return { ...params, operations: [{ operation_type: named.item, params: { ...Object(own), [named.name]: value } }] };
}

/** Accounts in which nothing changes: all that is asked of them here is read, or refused. */
const shared = sharedFixtures(() => world);
const others = sharedFixtures(() => world);

describe.for(belowAccount.map((operation) => ({ id: operation.id, operation })))('$id', ({ operation }) => {
  test(about('C-TENANCY-IDS'), async () => {
    const mine = await shared(operation);
    const theirs = await others(operation);
    const before = await changesOf(theirs.account_id);
    for (const named of namesInside(operation, theirs)) {
      const foreign = theirs[named.member];
      const [one, other] = [
        await world.request(requestFor(operation, paramsWith(operation, mine, named, foreign))),
        await world.request(requestFor(operation, paramsWith(operation, mine, named, INVENTED))),
      ];
      expect(impersonal(one, foreign), named.name).toEqual(impersonal(other, INVENTED));
      if (one.status === 200) expect(one.body, named.name).toMatchObject({ data: [] });
      else expect(one.status, `${named.name} ${one.text}`).toBeGreaterThanOrEqual(400);
    }
    expect(await changesOf(theirs.account_id)).toBe(before);
  });

  test(about('C-TENANCY-TOKENS'), async () => {
    const fixture = await shared(operation);
    await world.grant(fixture.account_id, owner, ['ACCOUNT_ADMIN']);
    const before = await changesOf(fixture.account_id);
    const fresh = await world.issueToken(owner, 'write');
    await world.revokeToken(fresh);
    const request = requestFor(operation, validParams(operation, fixture));
    const revoked = await world.request({ ...request, as: fresh });
    expect(revoked).toMatchObject({ status: 401, body: { errors: [{ code: 89 }] } });
    // The token of a user without access to the account reads nothing of it, whatever else it may read.
    expect(await world.request({ ...request, as: neighbour })).toMatchObject({
      status: 403,
      body: { errors: [{ code: 'ACCOUNT_NOT_FOUND' }] },
    });
    expect(await changesOf(fixture.account_id)).toBe(before);
  });
});
