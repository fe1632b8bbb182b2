/** Worlds with a seed: what follows from it, also in copies and on another machine. */
import { expect, test } from 'vitest';
import { createCampaign } from './testing/signed.ts';
import { type WorldsServer, worldsServer } from './testing/worlds-server.ts';

/** A new world. */
async function make({ control }: WorldsServer, body: unknown) {
  const { status, body: answer } = await control('POST', '/worlds', body);
  expect(status).toBe(200);
  return answer.data;
}

test('has the clock of a copy with a seed stand, at the same time in all copies of one snapshot', async () => {
  const on = await worldsServer();
  const { control } = on;
  const source = await make(on, {});
  const snapshot = (await control('POST', `/worlds/${source.id}/snapshots`)).body.data;
  const clockOf = async (id: string) => (await control('GET', `/worlds/${id}/clock`)).body.data;
  const outcome = async () => {
    const { id, credentials } = await make(on, { from: { snapshot: snapshot.id }, seed: 'rain' });
    const clock = await clockOf(id);
    expect(clock).toMatchObject({ frozen: true, follows_machine: false });
    return { clock, created: (await createCampaign(credentials, 'Seeded')).body.data };
  };
  const first = await outcome();
  expect(await outcome()).toEqual(first);
  expect(first.clock.now.slice(0, 19)).toBe(snapshot.created_at.slice(0, 19));

  const now = new Date(Date.parse(snapshot.created_at) + 86_400_000).toISOString();
  await control('PUT', `/worlds/${source.id}/clock`, { now, frozen: true });
  const fork = await make(on, { from: { world: source.id }, seed: 'rain' });
  const stands = { now, frozen: true };
  expect(await clockOf(fork.id)).toMatchObject(stands);
  await control('PUT', `/worlds/${source.id}/clock`, { frozen: false });
  const other = await make(on, { from: { world: source.id }, seed: 'rain' });
  const copied = await clockOf(other.id);
  expect(copied.frozen).toBe(true);
  expect((await clockOf(other.id)).now).toBe(copied.now);
  await control('POST', `/worlds/${other.id}/reset`);
  expect(await clockOf(other.id)).toMatchObject({ now: copied.now, frozen: true });
  // Without a seed of its own, a copy goes on as its source.
  const plain = await make(on, { from: { world: source.id } });
  expect(await clockOf(plain.id)).toMatchObject({ frozen: false });
});

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
  const unseeded = await run(one, {});
  expect(await run(one, {})).not.toEqual(unseeded);
  expect(await run(another, {})).not.toEqual(unseeded);
});
