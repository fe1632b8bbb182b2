/** Tells the data directories of servers apart, across machines. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { bootMark } from '../place/process-mark.ts';
import { randomText, systemRandom } from '../world/random.ts';

const FILE = 'server.id';

/** The id of a data directory, made with its first use beside stores on a server. */
export function directoryId(dataDirectory: string): string {
  const file = path.join(dataDirectory, FILE);
  if (existsSync(file)) {
    const known = readFileSync(file, 'utf8').trim();
    if (known !== '') return known;
  }
  const fresh = randomText(systemRandom, 22);
  writeFileSync(file, `${fresh}\n`, { mode: 0o600, flush: true });
  return fresh;
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
