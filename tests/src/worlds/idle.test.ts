/** Worlds that nobody uses for a while, by a clock that the test holds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ManualClock, systemRandom, World, WorldHost } from '@broadside/server';
import { expect, onTestFinished, test } from 'vitest';
import { about } from '../support/scenario.ts';

const TEN_MINUTES_MS = 600_000;
/** The host looks for idle worlds every few seconds. */
const patience = { timeout: 60_000 };

/** A host of worlds on a directory of its own, by a clock. */
async function hostBy(wallClock: ManualClock): Promise<WorldHost<{ readonly world: World }>> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'broadside-idle-'));
  const standing = await World.open({ dataDirectory, wallClock });
  const host = new WorldHost<{ readonly world: World }>({
    dataDirectory,
    services: () => ({ world: standing }),
    open: (place, openedAs) => World.open({ dataDirectory: place, wallClock, ...openedAs }),
    servicesOf: (world) => ({ world }),
    addresses: () => ({ base_url: '', ads_base_url: '', ads_sandbox_base_url: '' }),
    demo: () => Promise.resolve(),
    wallClock,
    random: systemRandom,
    failed: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => {
    await host.close();
    await standing.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  });
  host.start();
  return host;
}

test(about('W-IDLE'), async () => {
  const wallClock = new ManualClock(Date.UTC(2026, 0, 15, 8));
  const host = await hostBy(wallClock);
  const { id: idle } = await host.create({ origin: 'EMPTY' });
  const { id: busy } = await host.create({ origin: 'EMPTY' });
  const isOpen = (id: string) => host.get(id)?.isOpen;
  await host.use(idle, () => undefined);
  const inside = await host.enter(busy);
  expect([isOpen(idle), isOpen(busy)]).toEqual([true, true]);
  wallClock.advance(TEN_MINUTES_MS);
  await expect.poll(() => isOpen(idle), patience).toBe(false);
  expect(isOpen(busy)).toBe(true);
  inside?.leave();
  expect(await host.use(idle, ({ world }) => world.dataDirectory)).toContain(idle);
  expect([isOpen(idle), isOpen(busy)]).toEqual([true, true]);
  wallClock.advance(TEN_MINUTES_MS);
  await expect.poll(() => [isOpen(idle), isOpen(busy)], patience).toEqual([false, false]);
}, 150_000);
