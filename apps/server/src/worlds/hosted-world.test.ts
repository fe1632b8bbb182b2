import { expect, test } from 'vitest';
import { HostedWorld } from './hosted-world.ts';

test('a world ends when nothing is inside; where something stays for too long, it can be entered again', async () => {
  const hosted = new HostedWorld('default', {}, { elapsed: () => 0 });
  expect(hosted.enter()).toBe(true);
  const given = hosted.end(1);
  expect(hosted.enter()).toBe(false);
  expect(await given).toBe(false);
  expect(hosted.enter()).toBe(true);
  hosted.leave();
  const ended = hosted.end(60_000);
  expect(hosted.enter()).toBe(false);
  hosted.leave();
  expect(await ended).toBe(true);
  expect(hosted.enter()).toBe(false);
});
