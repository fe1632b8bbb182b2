/**
 * Kills servers while they take over data directories of earlier versions. However often and whenever it happens, all is there in the end, and
 * the copy for the way back is what the earlier version had left.
 */
import { strict as assert } from 'node:assert';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkCounts } from '../crash/counting.ts';
import { digestOf, schemaOf } from '../crash/migration/store-digest.ts';
import { chanceOf } from '../crash/session.ts';
import { ServerProcess } from '../src/support/server-process.ts';
import { unpackFixture } from './fixture.ts';
import { verifyServer } from './verify.ts';

/** The outcome. */
export interface KillFigures {
  /** Kills after the copy was begun and before the stores were up to date. */
  readonly kills: number;
  /** Kills before that, and after. */
  readonly others: number;
}

const stores = ['platform.db', 'ads-production.db', 'ads-sandbox.db'];

/**
 * Plays with a fixture until enough servers were killed while they upgraded.
 * @param scratch an empty directory
 * @throws AssertionError
 */
export async function playUpgrade(
  scratch: string,
  name: string,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<KillFigures> {
  const chance = chanceOf(seed);
  const older = path.join(scratch, 'older');
  unpackFixture(name, older);
  const left = digestsIn(older);
  const whole = path.join(scratch, 'whole');
  unpackFixture(name, whole);
  const began = performance.now();
  await (await ServerProcess.start(whole)).end('SIGTERM');
  const window = { from: 0, to: performance.now() - began };
  const upToDate = schemasIn(whole);
  const figures = { kills: 0, others: 0 };
  for (let n = 0; figures.kills < kills; n++) {
    const directory = path.join(scratch, `disturbed-${n}`);
    const fixture = unpackFixture(name, directory);
    for (let isOver = false; !isOver && figures.kills < kills; ) {
      const server = ServerProcess.spawn(directory);
      const at_ms = window.from + chance() * (window.to - window.from);
      const ended = await Promise.race([sleep(at_ms, undefined), server.ended]);
      assert.equal(ended, undefined, `the start was rejected: ${ended?.stderr}`);
      await server.end('SIGKILL');
      isOver = schemasIn(directory) === upToDate;
      const hasBegun = existsSync(path.join(directory, 'before-upgrade')) || readdirSync(directory).some(isCopy);
      if (hasBegun && !isOver) figures.kills += 1;
      else figures.others += 1;
      // Most attempts are to hit: the window closes in on the time of the upgrade, and gives way where the machine is slower or faster than before.
      if (!hasBegun) window.from = (window.from + at_ms) / 2;
      else if (isOver) window.to = Math.max((window.to + at_ms) / 2, window.from + 20);
      if (!hasBegun && at_ms > window.to * 0.9) window.to *= 1.5;
      if (isOver && at_ms < window.from * 1.1) window.from /= 1.5;
    }
    const server = await ServerProcess.start(directory);
    await verifyServer(directory, fixture);
    assert.equal((await server.end('SIGTERM')).code, 0);
    await checkUpgraded(directory, left);
  }
  return figures;
}

/** Verifies the stores of a server that has ended, and the copy of before. @throws AssertionError */
async function checkUpgraded(directory: string, left: readonly unknown[]): Promise<void> {
  for (const file of stores.slice(1)) await checkCounts(path.join(directory, file));
  digestsIn(directory);
  assert.deepEqual(digestsIn(path.join(directory, 'before-upgrade')), left);
  assert.deepEqual(readdirSync(directory).filter(isCopy), []);
}

const isCopy = (name: string) => name.startsWith('.making-') || name === 'before-upgrade.new';

/** The rows and the schema of each store. @throws AssertionError when one is damaged */
export function digestsIn(directory: string): readonly unknown[] {
  return stores.map((file) => digestOf(path.join(directory, file)));
}

function schemasIn(directory: string): string {
  return JSON.stringify(stores.map((file) => schemaOf(path.join(directory, file))));
}
