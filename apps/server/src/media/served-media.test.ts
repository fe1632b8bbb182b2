import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';

test('addresses of media keep their bytes, except in a world with a seed, which gives names out again', async () => {
  const open = (seed?: string) =>
    World.open({ dataDirectory: temporaryDirectory(), ...(seed === undefined ? {} : { seed }) });
  const [usual, seeded, again] = [await open(), await open('seed'), await open('seed')];
  expect(usual.servedMedia).toMatchObject({ isImmutable: true });
  expect(usual.servedMedia.tagOf('abc')).toBe('abc');
  expect(seeded.servedMedia).toMatchObject({ isImmutable: false });
  expect(seeded.servedMedia.tagOf('abc')).toBe(seeded.servedMedia.tagOf('abc'));
  expect(seeded.servedMedia.tagOf('abc')).not.toBe(again.servedMedia.tagOf('abc'));
  for (const world of [usual, seeded, again]) await world.close();
});
