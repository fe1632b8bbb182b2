/**
 * A fault never corrupts a world: random rules befall random calls, and what is left is what a world without rules has that got only those
 * calls whose work the rules let happen.
 */
import path from 'node:path';
import type { FaultRule } from '@broadside/core/resources/control/faults';
import { families } from '@broadside/server';
import type { TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import Sqlite from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';

type Answer = Awaited<ReturnType<TestWorld['request']>>;

/** Effects, and whether a call that they befall does its work. */
const effects: readonly (readonly [effect: FaultRule['effect'], works: boolean])[] = [
  [{ status: 500 }, false],
  [{ status: 502 }, false],
  [{ status: 503, retry_after: 3 }, false],
  [{ error: 'UNAUTHORIZED_ACCESS' }, false],
  [{ error: 'ACCOUNT_NOT_FOUND' }, false],
  [{ error: 'INVALID_PARAMETER', latency: { ms: 1 } }, false],
  [{ rate_limit: { seconds: 5 } }, false],
  [{ drop: 'before_work' }, false],
  [{ drop: 'after_commit' }, true],
  [{ drop: 'mid_body' }, true],
  [{ body: 'cut' }, true],
  [{ body: 'not_json', latency: { min_ms: 0, max_ms: 2 } }, true],
  [{ latency: { p50_ms: 0, p99_ms: 2 } }, true],
];

const rules = fc.array(
  fc.record({
    effect: fc.constantFrom(...effects.map(([effect]) => effect)),
    match: fc.constantFrom<NonNullable<FaultRule['match']>>(
      {},
      { kind: 'write' },
      { operation: ['campaigns.create', 'campaigns.update'] },
      { operation: ['campaigns.*'], every: 2 },
      { probability: 0.5 },
      { after: 3 },
      { first: 4, environment: 'sandbox' },
    ),
    times: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 4 },
);

const calls = fc.array(
  fc.record({
    verb: fc.constantFrom('create', 'create', 'update', 'delete', 'list', 'batch', 'wrong'),
    which: fc.nat({ max: 5 }),
    name: fc.integer({ min: 0, max: 99 }),
  }),
  { minLength: 5, maxLength: 20 },
);

interface Side {
  readonly world: TestWorld;
  readonly account_id: string;
  readonly funding_instrument_id: string;
  /** Ids of campaigns in the order of their creation. */
  readonly ids: () => Promise<string[]>;
}

async function sideOf(world: TestWorld): Promise<Side> {
  await world.platform.faults.clear();
  const account_id = await world.createAccount();
  const funding_instrument_id = await world.createFundingInstrument(account_id);
  const account = () => world.platform.ads.sandbox.account(account_id);
  const ids = async () => (await contentOf({ account })).map(({ id }) => id);
  return { world, account_id, funding_instrument_id, ids };
}

/** Campaigns with those that were deleted, without what differs from one world to the other. */
async function contentOf({
  account,
}: {
  account: () => ReturnType<TestWorld['platform']['ads']['sandbox']['account']>;
}) {
  return account().of(families.campaigns.campaign).every({ with_deleted: true });
}

function send(
  side: Side,
  { verb, which, name }: { verb: string; which: number; name: number },
  known: readonly string[],
) {
  const { world, account_id, funding_instrument_id } = side;
  const base = `/12/accounts/${account_id}/campaigns`;
  const id = known[which % Math.max(1, known.length)] ?? 'none';
  const content = { name: `name ${name}`, funding_instrument_id, daily_budget_amount_local_micro: '5000000' };
  const requests: Record<string, Parameters<TestWorld['request']>[0]> = {
    create: { listener: 'sandbox', method: 'POST', path: base, form: content },
    update: { listener: 'sandbox', method: 'PUT', path: `${base}/${id}`, form: { name: `changed ${name}` } },
    delete: { listener: 'sandbox', method: 'DELETE', path: `${base}/${id}` },
    list: { listener: 'sandbox', path: base },
    wrong: { listener: 'sandbox', method: 'POST', path: base, form: { name: 'x' } },
    batch: {
      listener: 'sandbox',
      method: 'POST',
      path: `/12/batch/accounts/${account_id}/campaigns`,
      json: [1, 2].map((part) => ({
        operation_type: 'Create',
        params: { ...content, name: `part ${part} of ${name}` },
      })) as never,
    },
  };
  const request = requests[verb];
  if (!request) throw new TypeError(verb);
  return world.request(request);
}

let befallen: TestWorld;
let undisturbed: TestWorld;

beforeAll(async () => {
  [befallen, undisturbed] = [await openWorld(), await openWorld()];
});
afterAll(async () => {
  await befallen.close();
  await undisturbed.close();
});

test(about('F-EXACT'), async () => {
  await fc.assert(
    fc.asyncProperty(rules, calls, async (given, sequence) => {
      const [faulty, plain] = [await sideOf(befallen), await sideOf(undisturbed)];
      for (const rule of given) await faulty.world.platform.faults.create(rule);
      for (const call of sequence) {
        const all = faulty.world.platform.faults.list();
        const before = all.map(({ fired }) => fired);
        const [known, others] = [await faulty.ids(), await plain.ids()];
        const answer = await send(faulty, call, known).catch((error: unknown) => error as Error);
        const fired = all.filter((rule, at) => rule.fired > (before[at] ?? 0));
        const works = fired.every(
          ({ row }) => effects.find(([effect]) => JSON.stringify(effect) === JSON.stringify(row.effect))?.[1] === true,
        );
        if (!works) {
          expect(await faulty.ids()).toEqual(known);
          continue;
        }
        const real = (await send(plain, call, others)) as Answer;
        if (fired.length === 0) expect((answer as Answer).status).toBe(real.status);
      }
      const shown = async ({ world, account_id }: Side) => {
        const rows = await contentOf({ account: () => world.platform.ads.sandbox.account(account_id) });
        return rows.map(({ name, deleted }) => ({ name, deleted }));
      };
      expect(await shown(faulty)).toEqual(await shown(plain));
      expect(faulty.world.failures).toEqual([]);
    }),
    { numRuns: 12 },
  );
  for (const store of ['platform', 'ads-sandbox']) {
    const database = new Sqlite(path.join(befallen.directory, `${store}.db`), { readonly: true });
    expect(database.prepare('PRAGMA integrity_check').raw().all()).toEqual([['ok']]);
    database.close();
  }
});
