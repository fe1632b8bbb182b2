import type { UsersShape } from '@broadside/core/resources/custom-audiences';
import { expect, test } from 'vitest';
import { Pace } from '../audience/pace.ts';
import { jsonOf, readUsers } from './read-users.ts';

const shape: UsersShape = { kinds: ['email', 'handle', 'partner_user_id'], has_effective_at: true };
const hash = '25d4b1bcb69cb114ae4cbbffaea1d8c5d2efdcf21a68112306865e9bb235febc';
const batch = (users: readonly unknown[]) => jsonOf([{ operation_type: 'Update', params: { users } }]);

/** A pace by which each slice is over after one look at the clock. */
function shortSlices(): Pace {
  let now = 0;
  return new Pace(() => {
    now += 5;
    return now;
  });
}

/** Counts the turns that other work gets while a promise is pending. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work;
  isOver = true;
  return turns;
}

test.for([
  ['of many users', batch(Array.from({ length: 50_000 }, () => ({ email: [hash] })))],
  ['of ids that are hashed here', batch(Array.from({ length: 30_000 }, (_, i) => ({ partner_user_id: [`${i}`] })))],
  ['that is wrong from the start', batch([{ no_such: Array.from({ length: 300_000 }, (_, i) => [i]) }])],
  ['that is no batch', jsonOf({ a: Array.from({ length: 300_000 }, (_, i) => [i]) })],
] as const)('other work goes on while a large body is read, %s', async ([, body]) => {
  const turns = await turnsDuring(readUsers(body, shape, shortSlices()));
  expect(turns).toBeGreaterThan(body.length / 20_000);
});

test('values of a typed caller are read as their JSON', async () => {
  const time = new Date('2026-02-03T04:05:06Z');
  const read = (operation: unknown) => readUsers(jsonOf([operation]), shape);
  const params = { users: [{ email: [hash], handle: undefined }], expires_at: time };
  const good = await read({ operation_type: 'Update', params });
  expect(good.packed?.operations).toMatchObject([{ expires_at: time.getTime(), user_count: 1 }]);
  for (const value of [5n, 5, Number.NaN, undefined, Symbol('x'), () => {}, new Date(Number.NaN)]) {
    const bad = await read({ operation_type: 'Update', params: { users: [{ partner_user_id: [value] }] } });
    expect(bad.itemIssues).toMatchObject([[{ parameter: 'params.users[0].partner_user_id[0]' }]]);
  }
  for (const items of [undefined, null, 'x', {}]) {
    expect((await readUsers(jsonOf(items), shape)).issues).toHaveLength(1);
  }
});
