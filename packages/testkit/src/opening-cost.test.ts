import { expect, test } from 'vitest';
import { createWorld } from './create-world.ts';

test('opening a world costs a fraction of the processor time of making one', async () => {
  const seed = `costs ${process.hrtime.bigint()}`;
  const cost = async () => {
    const before = process.threadCpuUsage();
    const world = await createWorld({ seed });
    const { user, system } = process.threadCpuUsage(before);
    await world.close();
    return (user + system) / 1000;
  };
  const making = await cost();
  // What others do on the machine shows in some of them.
  const opening = Math.min(await cost(), await cost(), await cost(), await cost());
  expect(opening).toBeLessThan(making / 3);
});
