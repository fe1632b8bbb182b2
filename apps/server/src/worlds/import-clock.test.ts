/** The clock of a world that is exported and imported at another time of the machine, or by another machine. */
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { PackError, type PackManifest } from '../copies/pack-manifest.ts';
import { ManualClock } from '../world/clock.ts';
import { bareHost } from './testing/bare-host.ts';

const START = Date.UTC(2026, 0, 15, 8);
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const RATE = 60;

/** A host on a machine of this time, which ends with the test. */
function hostAt(now_ms: number) {
  const wall = new ManualClock(now_ms);
  const host = bareHost({ wallClock: wall });
  onTestFinished(() => host.close());
  const nowIn = (id: string) =>
    host.use(id, async ({ world }) => {
      await world.jobs.runDue();
      return world.clock.now();
    });
  return { wall, host, nowIn };
}

/** Exports a world whose clock has run for an hour since it was set. @returns the pack, and the times of the world and of the machine */
async function exported() {
  const { wall, host, nowIn } = hostAt(START);
  const { id } = await host.create({ origin: 'EMPTY' });
  await host.use(id, ({ world }) => world.time.set({ rate: RATE }));
  wall.advance(HOUR_MS);
  const now_ms = await nowIn(id);
  expect(now_ms).toBe(START + RATE * HOUR_MS);
  const pack = await host.export(id);
  if (pack === undefined) throw new TypeError('the world is there');
  return { packed: await buffer(pack.stream), now_ms: START + RATE * HOUR_MS, wall_ms: wall.now() };
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The same pack, with something else said of its world. */
function about(packed: Buffer, change: (world: PackManifest['world']) => PackManifest['world']): Buffer {
  const plain = gunzipSync(packed);
  const end = plain.indexOf('\n');
  const manifest: PackManifest = JSON.parse(plain.toString('utf8', 0, end));
  const line = JSON.stringify({ ...manifest, world: change(manifest.world) });
  return gzipSync(Buffer.concat([Buffer.from(`${line}\n`), plain.subarray(end + 1)]));
}

test.each([
  ['a week later', WEEK_MS],
  ['by a machine whose clock is behind', -HOUR_MS / 2],
])('it goes on from where it was, imported %s', async (_, later_ms) => {
  const { packed, now_ms, wall_ms } = await exported();
  const { wall, host, nowIn } = hostAt(wall_ms + later_ms);
  const { id } = await host.import(streamOf(packed), {});
  expect(await nowIn(id)).toBe(now_ms);
  wall.advance(1_000);
  expect(await nowIn(id)).toBe(now_ms + RATE * 1_000);
});

test('one of a pack that does not say when it was copied has gone on meanwhile', async () => {
  const { packed, now_ms, wall_ms } = await exported();
  const { host, nowIn } = hostAt(wall_ms + WEEK_MS);
  const { id } = await host.import(streamOf(about(packed, ({ copied_ms: _, ...others }) => others)), {});
  expect(await nowIn(id)).toBe(now_ms + RATE * WEEK_MS);
});

test.each([-1, 0.5, 1e16, 'yesterday'])('a pack that was copied at %j is not taken', async (copied_ms) => {
  const { packed, wall_ms } = await exported();
  const { host } = hostAt(wall_ms);
  const made = host.import(streamOf(about(packed, (others) => ({ ...others, copied_ms }))), {});
  await expect(made).rejects.toThrow(/wrong at world: copied_ms/);
  await expect(made).rejects.toBeInstanceOf(PackError);
});
