import { expect, test, vi } from 'vitest';
import { worldsServer } from '../../worlds/testing/worlds-server.ts';

test('a clock that is set says whether all that was due until then has happened, as one that is advanced does', async () => {
  const { control, server } = await worldsServer();
  const set = (now: string) => control('PUT', '/worlds/default/clock', { now, frozen: true });
  const now = '2036-11-01T09:00:00.000Z';
  expect((await set(now)).body.data).toMatchObject({ now, complete: true });
  const { time } = server.world;
  const given = time.set.bind(time);
  // As with more jobs than one advance runs, which take long to make.
  vi.spyOn(time, 'set').mockImplementation(async (changes) => ({ ...(await given(changes)), complete: false }));
  expect((await set('2036-11-02T09:00:00.000Z')).body.data).toMatchObject({ complete: false });
});
