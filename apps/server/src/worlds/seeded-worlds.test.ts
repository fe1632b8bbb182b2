/** Worlds with a seed: what follows from it, also in copies and on another machine. */
import { expect, test } from 'vitest';
import { type WorldsServer, worldsServer } from './testing/worlds-server.ts';

/** A new world. */
async function make({ control }: WorldsServer, body: unknown) {
  const { status, body: answer } = await control('POST', '/worlds', body);
  expect(status).toBe(200);
  return answer.data;
}

test('has the same calls fail by chance as others of its seed, on any machine', async () => {
  const calls = 40;
  const run = async (on: WorldsServer, beginning: unknown) => {
    const { control, server } = on;
    const { id, credentials } = await make(on, beginning);
    const rule = { match: { probability: 0.5 }, effect: { status: 500 } };
    expect((await control('POST', `/worlds/${id}/faults`, rule)).status).toBe(200);
    const authorization = `Bearer ${credentials.bearer_token}`;
    const statuses: number[] = [];
    for (let call = 0; call < calls; call++) {
      statuses.push((await fetch(`${server.urls.api}/2/posts?ids=1`, { headers: { authorization } })).status);
    }
    return statuses;
  };
  const [one, another] = [await worldsServer(), await worldsServer()];
  const first = await run(one, { seed: 'p' });
  expect(new Set(first).size).toBe(2);
  expect(await run(one, { seed: 'p' })).toEqual(first);
  expect(await run(another, { seed: 'p' })).toEqual(first);
  expect(await run(one, { seed: 'q' })).not.toEqual(first);
  expect(await run(another, {})).not.toEqual(await run(one, {}));
});
