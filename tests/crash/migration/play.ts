/**
 * Kills servers while they bring the stores of an earlier version up to date. However often and whenever it happens, the stores are
 * in the end those of a server that nobody disturbed.
 */
import { strict as assert } from 'node:assert';
import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerProcess } from '../../src/support/server-process.ts';
import { checkCounts } from '../counting.ts';
import { checkNames } from '../naming.ts';
import { chanceOf } from '../session.ts';
import { makeOlderStores, storeFiles } from './older-stores.ts';
import { digestOf, schemaOf } from './store-digest.ts';

/** The outcome. */
export interface MigrationFigures {
  /** Kills before the stores were up to date. */
  readonly kills: number;
  /** Kills before anything was brought up to date, and after all was. */
  readonly others: number;
  /** Copies of the older stores that were brought up to date in spite of kills. */
  readonly migrated: number;
  /** The time that a start took that nobody disturbed. */
  readonly undisturbed_ms: number;
}

const env = { BROADSIDE_DEMO: '0' };
const files = Object.keys(storeFiles);

/**
 * Plays in a directory until enough servers were killed while they migrated.
 * @param scratch an empty directory
 * @throws AssertionError
 */
export async function playMigrations(
  scratch: string,
  { rows, kills, seed }: { readonly rows: number; readonly kills: number; readonly seed: number },
): Promise<MigrationFigures> {
  const chance = chanceOf(seed);
  const [older, whole, disturbed] = ['older', 'whole', 'disturbed'].map((name) => path.join(scratch, name));
  assert(older && whole && disturbed);
  await makeOlderStores(older, rows);
  cpSync(older, whole, { recursive: true });
  const began = performance.now();
  await finish(whole);
  const undisturbed_ms = Math.round(performance.now() - began);
  const expected = digestsIn(whole);
  for (const kind of ['production', 'sandbox']) {
    const file = path.join(whole, `ads-${kind}.db`);
    await checkCounts(file);
    checkNames(file);
  }
  const before = schemasIn(older);
  const after = schemasIn(whole);
  const figures = { kills: 0, others: 0, migrated: 0 };
  while (figures.kills < kills) {
    rmSync(disturbed, { recursive: true, force: true });
    cpSync(older, disturbed, { recursive: true });
    for (let state = before; state !== after && figures.kills < kills; ) {
      const server = ServerProcess.spawn(disturbed, env);
      const ended = await Promise.race([sleep(chance() * undisturbed_ms, undefined), server.ended]);
      assert.equal(ended, undefined, `the start was rejected: ${ended?.stderr}`);
      await server.end('SIGKILL');
      const began = state !== before || existsSync(path.join(disturbed, 'ads-sandbox.db-wal'));
      state = schemasIn(disturbed);
      if (began && state !== after) figures.kills += 1;
      else figures.others += 1;
    }
    await finish(disturbed);
    assert.deepEqual(digestsIn(disturbed), expected);
    figures.migrated += 1;
  }
  return { ...figures, undisturbed_ms };
}

/** Starts a server, which brings the stores up to date, and ends it. */
async function finish(directory: string): Promise<void> {
  const server = await ServerProcess.start(directory, env);
  assert.equal((await server.end('SIGTERM')).code, 0);
}

function digestsIn(directory: string): readonly unknown[] {
  return files.map((file) => digestOf(path.join(directory, file)));
}

function schemasIn(directory: string): string {
  return JSON.stringify(files.map((file) => schemaOf(path.join(directory, file))));
}
