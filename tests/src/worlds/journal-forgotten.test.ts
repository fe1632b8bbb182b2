/** Expectations on the calls of a world whose journal has pushed some out, as REST and the testkit verify them. */
import { type ConnectedWorld, connect, type TestWorld, UnmetExpectationsError } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';
import { ServedWorlds } from './served-worlds.ts';

/** Calls that the journal of the server keeps. */
const KEPT = 3;
/** Calls that the one of a world in process keeps. */
const KEPT_IN_PROCESS = 1000;

const served = new ServedWorlds();
let remote: ConnectedWorld;
let local: TestWorld;

beforeAll(async () => {
  await served.start(1, { BROADSIDE_JOURNAL: `calls=${KEPT}` });
  remote = await connect(served.server.controlUrl, { dataDirectory: served.directory }).worlds.create();
  local = await openWorld();
}, 120_000);
afterAll(async () => {
  await local.close();
  await served[Symbol.asyncDispose]();
});

const holding = [{ operation: 'accounts.list', at_least: 1 }];
const open = ['no write was refused', { operation: 'accounts.list', at_most: KEPT_IN_PROCESS }];
const sentence = /Not decided: the journal has pushed out 2 earlier requests \(the last one arrived at \S+\)/;

/** A write that is rejected and two reads, of which the first two calls are pushed out. */
async function forget(world: TestWorld | ConnectedWorld, kept: number): Promise<void> {
  const client = world.client();
  const account_id = world.credentials.sandbox_account_id;
  await expect(client.campaigns.delete({ account_id, campaign_id: 'none' })).rejects.toThrow();
  for (let count = 0; count <= kept; count++) await client.accounts.list();
}

test(about('J-VERIFY-FORGOTTEN'), async () => {
  await forget(local, KEPT_IN_PROCESS);
  await forget(remote, KEPT);
  for (const world of [local, remote]) {
    await world.verify(holding);
    const error = await world.verify([...holding, ...open]).catch((caught: unknown) => caught);
    if (!(error instanceof UnmetExpectationsError)) throw error;
    expect(error.expectations).toMatchObject([
      { passed: true, decided: true },
      { passed: false, decided: false, message: expect.stringMatching(sentence) },
      { passed: false, decided: false, message: expect.stringMatching(sentence) },
    ]);
    expect(error.message).toMatch(sentence);
    const found = await world.journal.verify({ expectations: open });
    expect(found).toMatchObject({ passed: false, forgotten: 2, expectations: error.expectations.slice(1) });
    // What is refuted by the calls that are kept stays so.
    const refuted = [{ operation: 'accounts.list', never: true }];
    expect(await world.journal.verify({ expectations: refuted })).toMatchObject({ expectations: [{ decided: true }] });
  }
  await remote.journal.clear();
  await remote.client().accounts.list();
  await remote.verify([...holding, ...open]);
});

test(about('J-VERIFY-SINCE'), async () => {
  await remote.journal.clear();
  await forget(remote, KEPT);
  const verify = (since?: string) => remote.journal.verify({ expectations: open, ...(since ? { since } : {}) });
  const { forgotten_until } = await verify();
  const [oldest] = await remote.calls();
  expect(forgotten_until && oldest && forgotten_until <= oldest.time).toBe(true);
  expect(await verify(forgotten_until ?? undefined)).toMatchObject({ passed: false, forgotten: 2, forgotten_until });
  const later = new Date(Date.parse(forgotten_until ?? '') + 1).toISOString();
  expect(await verify(later)).toMatchObject({ passed: true, forgotten: 0, forgotten_until: null });
  // Also after the world was closed, with what its file has.
  await served.start(1, { BROADSIDE_JOURNAL: `calls=${KEPT}` });
  const target = `/worlds/${remote.id}/journal/verify`;
  const after = async (since: string) =>
    (await served.control('POST', target, { expectations: open, since })).body.data;
  expect(await after(later)).toMatchObject({ passed: true, forgotten: 0 });
  expect(await after(forgotten_until ?? '')).toMatchObject({ passed: false, forgotten: 2, forgotten_until });
});
