import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { whenLogged } from '../auth/nonce-turn.ts';
import { NonceRegistry, type NonceRegistryOptions } from '../auth/nonces.ts';
import { ManualClock } from '../world/clock.ts';
import { NonceGrant } from './nonce-grant.ts';
import { Race } from './testing/race.ts';

const OWNER = { consumerKey: 'k', token: 't' };
const NOW = 1_700_000_000;
type Outcome = boolean | 'main';

function racing(threads: number, options: Partial<NonceRegistryOptions> = {}) {
  const directory = mkdtempSync(path.join(tmpdir(), 'reader-nonces-'));
  const clock = new ManualClock(NOW * 1000);
  const grant = new NonceGrant();
  const race = new Race(threads, {
    log: { directory, grant: grant.memory },
    onWritten: (written) => registry.absorb(written),
  });
  const open = (shared?: { nonces: typeof race.nonces; grant: NonceGrant }) =>
    NonceRegistry.open({
      directory,
      nowSeconds: () => Math.floor(clock.now() / 1000),
      elapsed: () => clock.elapsed(),
      bootId: () => 'boot',
      shared,
      ...options,
    });
  const registry = open({ nonces: race.nonces, grant });
  onTestFinished(async () => {
    await race[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true });
  });
  return { race, registry, clock, grant, directory, reopen: () => open() };
}

/** Uses nonces up in the main thread, some in each turn of the event loop. */
async function acceptAll(registry: NonceRegistry, timestamp: number, nonces: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let i = 0; i < nonces.length; i += 20) {
    const part = nonces.slice(i, i + 20).map((nonce) => whenLogged(registry.accept(OWNER, timestamp, nonce)));
    outcomes.push(...(await Promise.all(part)));
  }
  return outcomes;
}

test('of main thread and reader threads exactly one accepts each of thousands of nonces, and all are known after a restart', async () => {
  const { race, registry, directory, reopen } = racing(3);
  const winners = new Set<number>();
  let rounds = 0;
  // On a busy machine one thread may be through before the others begin.
  for (; rounds < 10 || winners.size < 2; rounds++) {
    const round = rounds;
    const nonces = Array.from({ length: 1000 }, (_, i) => `nonce ${i}`);
    const [threads, own] = await Promise.all([
      race.run<Outcome[]>(() => ({ kind: 'accept', timestamp: NOW + round, nonces })),
      acceptAll(registry, NOW + round, nonces),
    ]);
    const outcomes = [...threads, own];
    for (const i of nonces.keys()) expect(outcomes.filter((of) => of[i] === true)).toHaveLength(1);
    expect(outcomes.flat()).not.toContain('main');
    for (const [thread, of] of outcomes.entries()) if (of.includes(true)) winners.add(thread);
  }
  const total = rounds * 1000;
  const files = ['nonces.0.log', 'nonces.1.log'].map((file) => path.join(directory, file)).filter(existsSync);
  const lines = files.flatMap((file) => readFileSync(file, 'latin1').split('\n'));
  expect(lines.filter((line) => /^\d+ \S{22}$/.test(line))).toHaveLength(total);
  // The main thread knows what the others have used, so that it is dropped at its time.
  await expect.poll(() => registry.size).toBe(total);
  registry.close();
  const after = reopen();
  expect(after.size).toBe(total);
  for (let i = 0; i < total; i++) {
    expect(after.consume(OWNER, NOW + Math.floor(i / 1000), `nonce ${i % 1000}`)).toBe(false);
  }
  after.close();
});

test('what is not granted is left to the main thread, which then grants the next half minute', async () => {
  const { race, registry, clock, grant } = racing(1);
  const accept = async (timestamp: number, nonce: string) =>
    (await race.run<Outcome[]>(() => ({ kind: 'accept', timestamp, nonces: [nonce] })))[0]?.[0];
  expect(await accept(NOW - 300, 'a')).toBe(true);
  expect(await accept(NOW - 301, 'a')).toBe('main');
  expect(await accept(NOW + 30, 'a')).toBe(true);
  expect(await accept(NOW + 31, 'a')).toBe('main');
  clock.advance(100_000);
  expect(await accept(NOW + 100, 'a')).toBe('main');
  expect(await whenLogged(registry.accept(OWNER, NOW + 100, 'a'))).toBe(true);
  expect(await accept(NOW + 100, 'a')).toBe(false);
  expect(await accept(NOW + 101, 'a')).toBe(true);
  expect(await whenLogged(registry.accept(OWNER, NOW + 101, 'a'))).toBe(false);
  registry.close();
  expect(grant.covers(NOW + 100)).toBe(false);
  expect(await accept(NOW + 102, 'a')).toBe('main');
});

test('a nonce of a thread stays used when the clock is set and its memory serves other times in between', async () => {
  const { race, registry, clock } = racing(1);
  const accept = async (timestamp: number) =>
    (await race.run<Outcome[]>(() => ({ kind: 'accept', timestamp, nonces: ['n'] })))[0]?.[0];
  expect(await accept(NOW)).toBe(true);
  await expect.poll(() => registry.size).toBe(1);
  // 16 minutes on, the same memory is used.
  clock.step(960_000);
  expect(await whenLogged(registry.accept(OWNER, NOW + 960, 'other'))).toBe(true);
  expect(await accept(NOW + 960)).toBe(true);
  clock.step(-960_000);
  expect(await whenLogged(registry.accept(OWNER, NOW, 'n'))).toBe(false);
  expect(await accept(NOW)).not.toBe(true);
  clock.advance(20_000);
  expect(await whenLogged(registry.accept(OWNER, NOW + 20, 'n'))).toBe(true);
  expect(await accept(NOW)).toBe(false);
  expect(await accept(NOW + 21)).toBe(true);
});

test('files are turned over with what other threads wrote to them, and nothing is accepted again', async () => {
  const { race, registry, clock, reopen } = racing(2, { rotateBytes: 4096 });
  const used: [number, string][] = [];
  let reported = 0;
  for (let minute = 0; minute < 20; minute++) {
    const timestamp = NOW + minute * 60;
    const nonces = Array.from({ length: 100 }, (_, i) => `nonce ${minute} ${i}`);
    expect(await whenLogged(registry.accept(OWNER, timestamp, `first ${minute}`))).toBe(true);
    const outcomes = await race.run<Outcome[]>(() => ({ kind: 'accept', timestamp, nonces }));
    for (const i of nonces.keys()) expect(outcomes.filter((of) => of[i] === true)).toHaveLength(1);
    for (const nonce of nonces) used.push([timestamp, nonce]);
    reported = Math.max(reported, registry.size);
    clock.advance(60_000);
  }
  // Of 2,020 most have been dropped.
  await expect.poll(() => registry.size).toBeLessThan(1500);
  clock.step(-1_200_000);
  for (const [timestamp, nonce] of used) expect(registry.consume(OWNER, timestamp, nonce)).toBe(false);
  registry.close();
  const after = reopen();
  for (const [timestamp, nonce] of used) expect(after.consume(OWNER, timestamp, nonce)).toBe(false);
  after.close();
});
