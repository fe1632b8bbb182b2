/** Expectations on calls, as REST, the testkit in process and the testkit beside a server verify them. */
import type { FaultRule } from '@broadside/core/resources/control/faults';
import {
  type ConnectedWorld,
  connect,
  type ExpectedCall,
  type TestWorld,
  UnmetExpectationsError,
  type WorldSnapshot,
} from '@broadside/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';
import { ServedWorlds } from './served-worlds.ts';

const served = new ServedWorlds();
let remote: ConnectedWorld;
let local: TestWorld;
let beginning: WorldSnapshot;

beforeAll(async () => {
  await served.start();
  remote = await connect(served.server.controlUrl, { dataDirectory: served.directory }).worlds.create();
  local = await openWorld();
  beginning = await local.snapshot();
}, 120_000);
afterAll(async () => {
  await local.close();
  await served[Symbol.asyncDispose]();
});

/** A world in which a client is tested. */
interface Tested {
  readonly name: string;
  readonly world: () => TestWorld | ConnectedWorld;
  /** Loses the answer to the next call of an operation, by default the creation of a campaign. */
  readonly lose: (operation?: string, effect?: FaultRule['effect']) => Promise<unknown>;
  /** Begins anew. */
  readonly clear: () => Promise<unknown>;
  /** The sentences of what does not hold. */
  readonly verify: (expected: readonly ExpectedCall[]) => Promise<readonly string[]>;
}

/** The sentences with which a verification by the testkit fails. */
async function sentencesOf(verified: Promise<void>): Promise<readonly string[]> {
  try {
    await verified;
    return [];
  } catch (error) {
    if (!(error instanceof UnmetExpectationsError)) throw error;
    return error.expectations.flatMap(({ passed, message }) => (passed ? [] : [message]));
  }
}

const ruleFor = (operation = 'campaigns.create', effect: FaultRule['effect'] = { drop: 'after_commit' }) => ({
  match: { operation: [operation] },
  effect,
  times: 1,
});
const loseRemote: Tested['lose'] = (operation, effect) => remote.faults.create(ruleFor(operation, effect));
const clearRemote = () => remote.control.journal.clear();

const tested: readonly Tested[] = [
  {
    name: 'REST',
    world: () => remote,
    lose: loseRemote,
    clear: clearRemote,
    async verify(expectations) {
      const target = `/worlds/${remote.id}/journal/verify`;
      const { body } = await served.control('POST', target, { expectations });
      const verdicts: readonly { readonly passed: boolean; readonly message: string }[] = body.data.expectations;
      expect(body.data.passed).toBe(verdicts.every(({ passed }) => passed));
      return verdicts.flatMap(({ passed, message }) => (passed ? [] : [message]));
    },
  },
  {
    name: 'the testkit beside a server',
    world: () => remote,
    lose: loseRemote,
    clear: clearRemote,
    verify: (expectations) => sentencesOf(remote.verify(expectations)),
  },
  {
    name: 'the testkit in process',
    world: () => local,
    lose: (operation, effect) => local.platform.faults.create(ruleFor(operation, effect)),
    clear: () => local.reset(beginning),
    verify: (expectations) => sentencesOf(local.verify(expectations)),
  },
];

describe.each(tested)('by $name', ({ name, world, lose, clear, verify }) => {
  beforeEach(async () => {
    await clear();
  });

  async function campaign(name: string) {
    const account_id = world().credentials.sandbox_account_id;
    const { data } = await world().client().funding_instruments.list({ account_id });
    const funding_instrument_id = data[0]?.id ?? '';
    return { account_id, funding_instrument_id, name, daily_budget_amount_local_micro: 1_000_000n };
  }

  test(about('J-VERIFY-CALLS'), async () => {
    const client = world().client();
    const autumn = await campaign('Autum');
    await client.campaigns.create(autumn);
    await client.campaigns.list({ account_id: autumn.account_id });
    const { user_id } = world().credentials;
    expect(
      await verify([
        { operation: 'campaigns.create', params: { name: 'Autum' }, times: 1 },
        { operation: 'campaigns.*', at_least: 2 },
        { operation: 'campaigns.*', at_most: 2 },
        { operation: 'campaigns.delete', never: true },
        { operation: 'campaigns.create', user_id, times: 1 },
        { operation: 'campaigns.create', user_id: '1', never: true },
        followed('campaigns.create', 'campaigns.list'),
      ]),
    ).toEqual([]);
    const failing = await verify([
      { operation: 'campaigns.create', params: { name: 'Autumn' }, times: 1 },
      { operation: 'campaigns.create', params: { name: 'Autum' }, times: 2 },
      { operation: 'campaigns.create', user_id: '1' },
      followed('campaigns.list', 'campaigns.create'),
    ]);
    const some = expect.any(String);
    expect(failing).toEqual([some, some, some, some]);
    expect(failing[0]).toContain('where params.name was "Autum" instead of "Autumn"');
    expect(failing[1]).toContain('was called once; expected: exactly 2 times');
    expect(failing[2]).toContain(`where user_id was "${user_id}" instead of "1"`);
    expect(failing[3]).toContain('It was called before');
  });

  test(about('J-VERIFY-RULES'), async () => {
    const client = world().client();
    const rules = ['no write was refused', 'nothing was retried after a lost answer without looking first'];
    const autumn = await campaign('Autumn');
    await lose();
    await expect(client.campaigns.create(autumn)).rejects.toThrow();
    await client.campaigns.list({ account_id: autumn.account_id });
    await client.campaigns.create(autumn);
    expect(await verify(rules)).toEqual([]);
    await lose();
    await expect(client.campaigns.create(autumn)).rejects.toThrow();
    await client.campaigns.create(autumn);
    await expect(client.campaigns.create({ ...autumn, name: '' })).rejects.toThrow();
    expect(await verify(rules)).toEqual([
      expect.stringMatching(/^campaigns\.create \(\S+\) was rejected with 400 /),
      expect.stringMatching(
        /^campaigns\.create was called again as \S+ with the same parameters as \S+, whose answer was lost/,
      ),
    ]);
  });

  test.each<FaultRule['effect']>([{ drop: 'before_work' }, { status: 500 }, { status: 502 }])(
    `${about('J-VERIFY-RULES')}, also where %j lost the answer before anybody knew who called`,
    async (effect) => {
      const client = world().client({ retry: false });
      const { user_id } = world().credentials;
      const again = await campaign('Again');
      await lose('campaigns.create', effect);
      await expect(client.campaigns.create(again)).rejects.toThrow();
      await client.campaigns.create(again);
      const ofThese = { operation: 'campaigns.create', user_id, account_id: again.account_id, times: 2 };
      expect(await verify([ofThese, 'nothing was retried after a lost answer without looking first'])).toEqual([
        expect.stringMatching(/^campaigns\.create was called again as /),
      ]);
    },
  );

  test(`${about('J-VERIFY-RULES')}, where faults dropped a write or damaged its rejection`, async () => {
    const client = world().client({ retry: false });
    const dropped = await campaign('Dropped');
    const rule = ['no write was rejected'];
    await lose('campaigns.create', { drop: 'before_work' });
    await expect(client.campaigns.create(dropped)).rejects.toThrow();
    expect(await verify(rule)).toEqual([]);
    await lose('campaigns.create', { error: 'INVALID_PARAMETER', drop: 'mid_body' });
    await expect(client.campaigns.create(dropped)).rejects.toThrow();
    expect(await verify(rule)).toEqual([expect.stringContaining('was rejected with 400')]);
  });

  test(about('J-VERIFY-PEOPLE'), async () => {
    const client = world().client();
    const { sandbox_account_id: account_id } = world().credentials;
    const rules = ['nothing was retried after a lost answer without looking first'];
    const { id: custom_audience_id } = await client.custom_audiences.create({ account_id, name: `Readers by ${name}` });
    const send = (person: string) => {
      const params = { users: [{ partner_user_id: [person] }] };
      const operations = [{ operation_type: 'Update' as const, params }];
      return client.custom_audiences.users({ account_id, custom_audience_id, operations });
    };
    await lose('custom_audiences.users');
    await expect(send('anna')).rejects.toThrow();
    await send('bert');
    expect(await verify(rules)).toEqual([]);
    await send('anna');
    expect(await verify(rules)).toEqual([expect.stringMatching(/^custom_audiences\.users was called again as /)]);
  });

  test(about('J-VERIFY-LEFT-OUT'), async () => {
    const client = world().client();
    const { sandbox_account_id: account_id } = world().credentials;
    const { id: custom_audience_id } = await client.custom_audiences.create({ account_id, name: `People by ${name}` });
    const operations = [{ operation_type: 'Update' as const, params: { users: [{ partner_user_id: ['anna'] }] } }];
    await client.custom_audiences.users({ account_id, custom_audience_id, operations });
    const users = { operation: 'custom_audiences.users' };
    expect(await verify([{ ...users, params: { custom_audience_id }, times: 1 }])).toEqual([]);
    const open = expect.stringMatching(/Not decided: what was sent in \S+ is not kept/);
    expect(await verify([{ ...users, params: { operations: [] }, never: true }])).toEqual([open]);
    // Longer than what a journal keeps of a body.
    const create = {
      operation_type: 'Create' as const,
      params: { name: 'x'.repeat(200), entity_status: 'DRAFT' as const },
    };
    await client.campaigns.batch({ account_id, operations: Array(40).fill(create) }).catch(() => {});
    const batch = { operation: 'campaigns.batch' };
    expect(
      await verify([
        { ...batch, times: 1 },
        { ...batch, params: { account_id: 'another' }, at_most: 1 },
      ]),
    ).toEqual([]);
    expect(await verify([{ ...batch, params: { account_id } }])).toEqual([open]);
  });
});

test('an error of the testkit says all that does not hold, with what is near; what is no expectation is none', async () => {
  await local.client().accounts.list({ count: 1 });
  await local.client().accounts.list({ count: 2 });
  const error = await local
    .verify([{ operation: 'accounts.list', params: { count: 3 } }, 'no write was rejected'])
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(UnmetExpectationsError);
  expect(String(error)).toMatch(/Nearest: accounts\.list \(.+\n {4}accounts\.list \(/);
  await expect(local.verify([{ operation: 'accounts.list', time: 1 }])).rejects.toThrow('0.time: expected one of name');
});

/** Calls in an order. */
function followed(first: string, ...others: readonly string[]): ExpectedCall {
  return Object.fromEntries([
    ['operation', first],
    ['then', others.map((operation) => ({ operation }))],
  ]);
}
