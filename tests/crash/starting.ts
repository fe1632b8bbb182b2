/** Servers that are killed while they start, be it for the first time or after they were killed. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerProcess } from '../src/support/server-process.ts';
import type { Chance } from './session.ts';

/**
 * Starts servers on a directory and kills each at some moment: before it does anything, while it opens, recovers or makes its
 * stores, or when it serves already.
 * @param most how many at most
 * @returns how many were killed
 */
export async function killStarts(directory: string, most: number, chance: Chance): Promise<number> {
  const count = Math.floor(chance() * (most + 1));
  for (let i = 0; i < count; i++) {
    const server = ServerProcess.spawn(directory);
    const ended = await Promise.race([sleep(50 + chance() * 700, undefined), server.ended]);
    // A start that is rejected after a kill would be a failure of the kill.
    assert.equal(ended, undefined, `the start was rejected: ${ended?.stderr}`);
    await server.end('SIGKILL');
  }
  return count;
}
