import type { Operation } from '@broadside/core';
import { type CreateWorldOptions, createWorld, type TestWorld } from '@broadside/testkit';
import { checkAnswer } from './answers.ts';
import { idOf } from './body.ts';
import { familyFixtures, familyOf } from './families.ts';
import { createReadWorld } from './reading-worlds.ts';

/** A world in which every response is validated against the contract. */
export function openWorld(options: CreateWorldOptions = {}): Promise<TestWorld> {
  // `SCENARIO_READERS=1` has GETs answered as reader threads answer them; limits are counted by the main world alone here.
  const hasReaders = process.env['SCENARIO_READERS'] === '1' && options.rateLimits === undefined;
  const create = hasReaders ? createReadWorld : createWorld;
  return create({ onAnswer: checkAnswer, ...options });
}

/** An account with a campaign and a line item. */
export interface BaseFixture {
  readonly account_id: string;
  readonly funding_instrument_id: string;
  readonly campaign_id: string;
  readonly line_item_id: string;
}

/** An account with everything that an operation below it needs. */
export interface AccountFixture extends BaseFixture {
  /** Further parameters that the family of an operation needs, by name. */
  readonly [parameter: string]: unknown;
}

/**
 * Makes an account of the world's user with a funding instrument, a campaign and a line item, and with what an operation
 * needs besides.
 */
export async function createAccountFixture(
  world: TestWorld,
  environment: 'production' | 'sandbox' = 'sandbox',
  operation?: Operation,
): Promise<AccountFixture> {
  const account_id = await world.createAccount(environment);
  const funding_instrument_id = await world.createFundingInstrument(account_id, {}, environment);
  const listener = environment === 'sandbox' ? 'sandbox' : 'ads';
  const created = async (name: string, query: Record<string, string>) => {
    const answer = await world.request({ listener, method: 'POST', path: `/12/accounts/${account_id}/${name}`, query });
    return idOf(answer.body);
  };
  const campaign_id = await created('campaigns', { funding_instrument_id, name: 'Campaign' });
  const line_item_id = await created('line_items', {
    campaign_id,
    objective: 'ENGAGEMENTS',
    product_type: 'PROMOTED_POSTS',
    placements: 'ALL_ON_PLATFORM',
    start_time: '2026-02-01',
    end_time: '2026-03-01',
    bid_amount_local_micro: '1000000',
  });
  const fixture = { account_id, funding_instrument_id, campaign_id, line_item_id };
  const family = operation && familyFixtures().get(familyOf(operation));
  if (operation === undefined || !family?.create || isBare(operation)) return fixture;
  return { ...fixture, ...(await family.create(world, fixture, environment)) };
}

/** Whether an operation is called without what its family makes for the others. */
function isBare(operation: Operation): boolean {
  return familyFixtures().get(familyOf(operation))?.bare?.includes(operation.id) ?? false;
}

/**
 * One fixture of a family for all requests that change nothing of it: reads, and requests that are rejected. Each is made at the first call for
 * an operation of the family.
 * @param prepare what is done to each
 */
export function sharedFixtures(
  world: () => TestWorld,
  prepare: (fixture: AccountFixture) => Promise<unknown> = async () => {},
): (operation: Operation) => Promise<AccountFixture> {
  const made = new Map<string, Promise<AccountFixture>>();
  const make = async (operation: Operation) => {
    const fixture = await createAccountFixture(world(), 'sandbox', operation);
    await prepare(fixture);
    return fixture;
  };
  return (operation) => {
    const key = isBare(operation) ? operation.id : familyOf(operation);
    const fixture = made.get(key) ?? make(operation);
    made.set(key, fixture);
    return fixture;
  };
}

/** A number that stays the same when nothing was written: the last changes that the stores of a world have recorded. */
export async function lastChange(world: TestWorld): Promise<number> {
  const { production, sandbox } = world.platform.ads;
  const last = await Promise.all(
    [production, sandbox].map(({ database }) => database.query('SELECT max("seq") FROM "change_log"')),
  );
  return last.reduce((sum, rows) => sum + Number(rows[0]?.[0]), 0);
}
