/**
 * Kills servers while they take over data directories of earlier versions. However often and whenever it happens, all is there in the end, and
 * the copy for the way back is what the earlier version had left.
 */
import { strict as assert } from 'node:assert';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkCounts } from '../crash/counting.ts';
import { digestOf, migrationsOf, schemaOf } from '../crash/migration/store-digest.ts';
import { chanceOf } from '../crash/session.ts';
import { ServerProcess } from '../src/support/server-process.ts';
import { unpackFixture } from './fixture.ts';
import { verifyServer } from './verify.ts';

/** The outcome. */
export interface KillFigures {
  /** Kills after the copy was begun and before the stores were up to date. */
  readonly kills: number;
  /** Those of them that left stores of which some or all were changed. */
  readonly halfway: number;
  /** Kills before that, and after. */
  readonly others: number;
}

const stores = ['platform.db', 'ads-production.db', 'ads-sandbox.db'];

/**
 * Plays with a fixture until enough servers were killed while they upgraded, one of them at least halfway. Most are killed as soon as they
 * begin the copy, or have applied a migration after it: there a copy of stores that are half migrated could take its place. The others are
 * killed at any time.
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
  const untouched = schemasIn(older);
  const whole = path.join(scratch, 'whole');
  unpackFixture(name, whole);
  const began = performance.now();
  await (await ServerProcess.start(whole)).end('SIGTERM');
  const window = { from: 0, to: performance.now() - began };
  const upToDate = schemasIn(whole);
  const figures = { kills: 0, halfway: 0, others: 0 };
  const isEnough = () => figures.kills >= kills && figures.halfway > 0;
  for (let n = 0; !isEnough(); n++) {
    const directory = path.join(scratch, `disturbed-${n}`);
    const fixture = unpackFixture(name, directory);
    for (let isOver = false; !isOver && !isEnough(); ) {
      const server = ServerProcess.spawn(directory);
      const isTimed = figures.kills % 3 === 2;
      const at_ms = window.from + chance() * (window.to - window.from);
      const ended = await Promise.race([isTimed ? sleep(at_ms, undefined) : stepOf(server), server.ended]);
      assert.equal(ended, undefined, `the start was rejected: ${ended?.stderr}`);
      await server.end('SIGKILL');
      const schemas = schemasIn(directory);
      isOver = schemas === upToDate;
      const hasBegun = isBegun(directory);
      if (hasBegun && !isOver) figures.kills += 1;
      else figures.others += 1;
      if (!isOver && schemas !== untouched) figures.halfway += 1;
      if (!isTimed) continue;
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

/** Returns whether a copy of before was begun. */
function isBegun(directory: string): boolean {
  return existsSync(path.join(directory, 'before-upgrade')) || readdirSync(directory).some(isCopy);
}

/** Waits until a server has begun the copy of before or, where that was begun, has applied a migration; or until it has ended. */
async function stepOf(server: ServerProcess): Promise<undefined> {
  let isUp = true;
  void server.ended.then(() => {
    isUp = false;
  });
  const { directory } = server;
  const before = migrationsIn(directory);
  const isStep = isBegun(directory) ? () => migrationsIn(directory) > before : () => isBegun(directory);
  while (isUp && !isStep()) await sleep(2);
}

/** The rows and the schema of each store. @throws AssertionError when one is damaged */
export function digestsIn(directory: string): readonly unknown[] {
  return stores.map((file) => digestOf(path.join(directory, file)));
}

function migrationsIn(directory: string): number {
  return stores.reduce((sum, file) => sum + migrationsOf(path.join(directory, file)), 0);
}

function schemasIn(directory: string): string {
  return JSON.stringify(stores.map((file) => schemaOf(path.join(directory, file))));
}
