/** How much of the journal one call may take. */
import { expect, test } from 'vitest';
import { AdapterWorld, origins } from '../adapters/testing/world.ts';
import { Journal } from './journal.ts';

/** A journal of which an eighth has room for less than the changes of a batch, and of a hundred requests. */
const limits = { calls: 100, bytes: 96_000, body: 200 };
/** What a call may take of it by the documentation. */
const EIGHTH = limits.bytes / 8;

test('the changes of one call take an eighth of the journal at most, and push out no more than that', async () => {
  await using world = await AdapterWorld.open();
  const { clock, wallClock } = world.world;
  const journal = new Journal(limits, { clock, wallClock });
  Object.assign(world.services, { journal });
  const { sandbox_account_id: account } = world.credentials;
  const funding = await world.fetch(`${origins.sandbox}/12/accounts/${account}/funding_instruments`, {}, true);
  const { data } = (await funding.json()) as { readonly data: readonly { readonly id: string }[] };
  const reads = 20;
  for (let i = 1; i < reads; i++) await world.fetch(`${origins.sandbox}/12/accounts/${account}`, {}, true);
  const params = { funding_instrument_id: data[0]?.id, daily_budget_amount_local_micro: 1_000_000 };
  const items = Array.from({ length: 40 }, (_, i) => ({
    operation_type: 'Create',
    params: { ...params, name: `${'x'.repeat(200)} ${i}` },
  }));
  const batch = await world.fetch(
    `${origins.sandbox}/12/batch/accounts/${account}/campaigns`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(items) },
    true,
  );
  expect(batch.status).toBe(200);
  const [call] = journal.requests().at(-1)?.calls ?? [];
  const lengths = (call?.changes ?? []).map(({ text }) => text.length);
  const taken = lengths.reduce((sum, length) => sum + length, 0);
  const longest = Math.max(...lengths);
  expect(taken).toBeLessThanOrEqual(EIGHTH);
  expect(taken).toBeGreaterThan(EIGHTH - 2 * longest);
  expect(call?.changes_left_out).toBe(items.length - lengths.length);
  expect(journal.requests()).toHaveLength(reads + 1);
});

test('bodies of which the end is left out are told apart by a digest', async () => {
  await using world = await AdapterWorld.open();
  const { clock, wallClock } = world.world;
  const journal = new Journal(limits, { clock, wallClock });
  Object.assign(world.services, { journal });
  const { sandbox_account_id: account } = world.credentials;
  // Some are longer than what is digested whole.
  for (const text of ['x'.repeat(300), 'x'.repeat(100_000)]) {
    for (const end of ['a', 'b', 'a']) {
      const url = `${origins.sandbox}/12/batch/accounts/${account}/campaigns`;
      const headers = { 'content-type': 'application/json' };
      await world.fetch(url, { method: 'POST', headers, body: JSON.stringify([text, end]) }, true);
    }
  }
  const calls = journal.requests().flatMap((request) => request.calls);
  expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
  const [first, other, again, long, otherLong, longAgain] = calls.map(({ left_out_digest }) => left_out_digest);
  expect([again, longAgain]).toEqual([first, long]);
  expect(new Set([first, other, long, otherLong]).size).toBe(4);
});
