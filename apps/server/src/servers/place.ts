/** Tells the data directories of servers apart, across machines. */
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { dataNames } from '../data-names.ts';
import { bootMark } from '../place/process-mark.ts';
import { randomText, systemRandom } from '../world/random.ts';

/** The id of a directory, made with its first use beside stores on a server, along with a directory that is not there. */
export function directoryId(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = path.join(directory, dataNames.serverId);
  if (!existsSync(file)) {
    const fresh = randomText(systemRandom, 22);
    const whole = `${file}.${fresh}`;
    writeFileSync(whole, `${fresh}\n`, { mode: 0o600, flush: true });
    try {
      // Whole or not at all, and once: other servers may have the directory mounted and do the same.
      linkSync(whole, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(whole, { force: true });
    }
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Identifies what one process can have at a time: this data directory, whose lock it holds, as long as this machine runs. A process that
 * finds its own place in the registry knows that the one before it is gone. A copy of the directory, elsewhere or beside it, is another place.
 */
export function placeOf(dataDirectory: string): string {
  const { dev, ino } = statSync(dataDirectory);
  const parts = [directoryId(dataDirectory), hostname(), bootMark() ?? '', `${dev}:${ino}`];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}
