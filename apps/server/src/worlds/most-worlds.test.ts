/** The most worlds and snapshots that there may be, where several are made at the same moment. */
import { expect, test } from 'vitest';
import { TooManyWorldsError } from './errors.ts';
import { bareHost } from './testing/bare-host.ts';

/** Counts what was made, and expects that all else was rejected since there are too many. */
async function madeOf(works: readonly Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(works);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(TooManyWorldsError);
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

const threeTimes = (work: () => Promise<unknown>) => [work(), work(), work()];

test('worlds that are created at once are no more than there may be', async () => {
  const host = bareHost({ bounds: { worlds: 2, snapshots: 1 } });
  const create = () => host.create({ origin: 'EMPTY' });
  const first = await create();
  expect(await madeOf(threeTimes(create))).toBe(1);
  await expect(create()).rejects.toThrow('a server has up to 2 worlds');
  await host.delete(first.id);
  expect(await madeOf(threeTimes(create))).toBe(1);
  await host.close();
});

test('a world whose making fails takes no room', async () => {
  const host = bareHost({ bounds: { worlds: 1, snapshots: 1 } });
  const broken = (async function* () {
    yield Buffer.from('no world');
  })();
  await expect(host.import(broken, {})).rejects.toThrow();
  expect(await madeOf(threeTimes(() => host.create({ origin: 'EMPTY' })))).toBe(1);
  await host.close();
});

test('snapshots that are taken at once are no more than there may be', async () => {
  const host = bareHost({ bounds: { worlds: 1, snapshots: 2 } });
  const { id } = await host.create({ origin: 'EMPTY' });
  const take = () => host.snapshot(id, undefined);
  await take();
  expect(await madeOf(threeTimes(take))).toBe(1);
  await expect(take()).rejects.toThrow('a world has up to 2 snapshots');
  expect(host.snapshots.list(id)).toHaveLength(2);
  await host.close();
});
