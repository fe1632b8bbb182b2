/** The intake of users under damaged bodies, and against deletions: never a 5xx, and never half a request applied. */
import type { TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idOf } from '../support/body.ts';
import { hashed } from '../support/members.ts';
import { openWorld } from '../support/world.ts';

let world: TestWorld;
let account_id: string;

beforeAll(async () => {
  world = await openWorld();
  account_id = await world.createAccount();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

async function createAudience(name: string): Promise<string> {
  const path = `/12/accounts/${account_id}/custom_audiences`;
  return idOf((await world.request({ method: 'POST', path, form: { name } })).body);
}

/** Keys in the store of members, once everything that was acknowledged is merged. */
async function keysOf(id: string): Promise<number> {
  const { members } = world.platform;
  await members.settle(`sandbox/${id}`);
  return (await members.figures(`sandbox/${id}`)).keys;
}

const usersPath = (id: string) => `/12/accounts/${account_id}/custom_audiences/${id}/users`;
let next = 0;

/** A batch whose identifiers were never sent before. */
const batch = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }).map((sizes) =>
  sizes.map((size) => ({
    operation_type: 'Update',
    params: { users: Array.from({ length: size }, () => ({ email: [hashed(`${next++}@example.com`)] })) },
  })),
);

const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat({ max: 2 }),
  insert: fc.oneof(
    fc.constant(Buffer.alloc(0)),
    fc.uint8Array({ maxLength: 2 }),
    fc
      .constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', '1', 'null', '"email":[],')
      .map((text) => Buffer.from(text)),
  ),
});

test('a damaged body never gives a 5xx, and is applied as a whole or not at all', async () => {
  const id = await createAudience('Damaged');
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(batch, fc.array(damage, { maxLength: 2 }), async (operations, damages) => {
      let body: Buffer = Buffer.from(JSON.stringify(operations));
      for (const { at, remove, insert } of damages) {
        const place = Math.floor(at * body.length);
        body = Buffer.concat([body.subarray(0, place), insert, body.subarray(place + remove)]);
      }
      const before = await keysOf(id);
      const headers = { 'content-type': 'application/json' };
      const answer = await world.request({ method: 'POST', path: usersPath(id), body, headers });
      statuses.add(answer.status);
      const sent = operations.flatMap(({ params }) => params.users).length;
      if (answer.status === 200 && damages.length === 0) expect(await keysOf(id)).toBe(before + sent);
      else if (answer.status !== 200) {
        expect(answer.status, answer.text).toBe(400);
        expect(await keysOf(id)).toBe(before);
      }
    }),
    { numRuns: 300 },
  );
  expect(statuses).toEqual(new Set([200, 400]));
});

test('what comes while an audience is deleted leaves no data behind', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await createAudience(`Deleted ${round}`);
    const json = [{ operation_type: 'Update', params: { users: [{ partner_user_id: [`${round}`] }] } }];
    const send = () => world.request({ method: 'POST', path: usersPath(id), json });
    const path = `/12/accounts/${account_id}/custom_audiences/${id}`;
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, send),
      world.request({ method: 'DELETE', path }),
      ...Array.from({ length: 5 }, send),
    ]);
    for (const { status } of answers) expect([200, 404]).toContain(status);
    world.clock.advance(10_000);
    const stored = async () => {
      await world.runJobs();
      return keysOf(id);
    };
    await expect.poll(stored).toBe(0);
    expect((await send()).status).toBe(404);
  }
});
