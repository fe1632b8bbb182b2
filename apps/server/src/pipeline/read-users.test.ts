import type { UsersShape } from '@broadside/core/resources/custom-audiences';
import { costRatio } from '@broadside/cost-ratio';
import { expect, test } from 'vitest';
import { Pace } from '../pace.ts';
import { jsonOf, readUsers } from './read-users.ts';

const shape: UsersShape = { kinds: ['email', 'handle', 'partner_user_id'], has_effective_at: true };
const hash = '25d4b1bcb69cb114ae4cbbffaea1d8c5d2efdcf21a68112306865e9bb235febc';
const batch = (users: readonly unknown[]) => jsonOf([{ operation_type: 'Update', params: { users } }]);

/** Members by names of a dialect. */
const own: Readonly<Record<string, string>> = {
  kind: 'operation_type',
  with: 'params',
  people: 'users',
  mail: 'email',
  by: 'handle',
};
const inOtherWords = (name: string) => Object.keys(own).filter((other) => own[other] === name);
/** Renaming a body before it is read takes several times as long. */
const LIMIT = 2;

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
  ['of nothing but names', Buffer.from(`[{${'"b":1,'.repeat(200_000)}"c":1}]`)],
  ['that is no batch', jsonOf({ a: Array.from({ length: 300_000 }, (_, i) => [i]) })],
] as const)('other work goes on while a large body is read, %s', async ([, body]) => {
  for (const others of [undefined, inOtherWords]) {
    const turns = await turnsDuring(readUsers(body, shape, others, shortSlices()));
    expect(turns).toBeGreaterThan(body.length / 20_000);
  }
});

test('other names for members are found with the same work', async () => {
  const people = Array.from({ length: 20_000 }, () => ({ mail: [hash], by: [hash] }));
  const theirs = jsonOf([{ kind: 'Update', with: { people } }]);
  const ours = Buffer.from(
    theirs.toString().replace(/"(kind|with|people|mail|by)":/g, (_, name: string) => `"${own[name]}":`),
  );
  const read = (json: Uint8Array) => readUsers(json, shape, inOtherWords);
  expect((await read(theirs)).packed).toEqual((await readUsers(ours, shape)).packed);
  expect(
    await costRatio(
      () => read(theirs),
      () => readUsers(ours, shape),
      LIMIT,
    ),
  ).toBeLessThan(LIMIT);
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
