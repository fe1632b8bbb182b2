import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';

/** Where Linux keeps files in memory. */
const PLACE = '/dev/shm';
/** What a run takes at most, with room to spare. */
const NEEDED_BYTES = 8 * 2 ** 30;

/**
 * Makes a directory for the temporary files of tests that is in memory, where a machine has room there and runs programs from it. Every
 * commit of a store waits for its disk: that is a third of the time of tests that write. A process that is killed loses nothing there
 * either, and losses of power are simulated. The directory is removed when this process ends.
 * @returns undefined where there is no such place
 */
export function memoryDirectory() {
  try {
    const { bavail, bsize } = statfsSync(PLACE);
    // Files there and processes share the memory.
    if (bavail * bsize < NEEDED_BYTES || freemem() < 1.5 * NEEDED_BYTES) return undefined;
    // A short name, since paths of sockets are limited.
    const directory = mkdtempSync(path.join(PLACE, 'bs-'));
    process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
    const program = path.join(directory, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    const runs = spawnSync(program).status === 0;
    rmSync(program);
    return runs ? directory : undefined;
  } catch {
    return undefined;
  }
}
