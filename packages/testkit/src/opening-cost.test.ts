import { expect, test } from 'vitest';
import { createWorld } from './create-world.ts';

/** A source of worlds, closed after they were measured. */
type Source = () => Promise<{ close(): Promise<void> }>;

/** Returns the processor time of this process in milliseconds, of which others on the machine take nothing. */
async function cost(open: Source): Promise<number> {
  const before = process.cpuUsage();
  const world = await open();
  const { user, system } = process.cpuUsage(before);
  await world.close();
  return (user + system) / 1000;
}

/** The least cost of several: what others do on the machine shows in some of them, by what they displace from its caches. */
async function least(open: Source): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round++) found = Math.min(found, await cost(open));
  return found;
}

test('opening a world, and forking one, cost a fraction of the processor time of making one', async () => {
  let seeds = 0;
  const seed = `costs ${process.hrtime.bigint()}`;
  const making = await least(() => createWorld({ seed: `${seed} ${++seeds}` }));
  expect(await least(() => createWorld({ seed: `${seed} 1` }))).toBeLessThan(making / 3);
  await using world = await createWorld({ seed: `${seed} 1` });
  expect(await least(() => world.fork())).toBeLessThan(making / 3);
});
