/**
 * `npm run bench:many-servers`: three servers on real libSQL servers and Redis, with a network in between. Prints a table; `--json FILE` writes the
 * rows as JSON, `--check` ends with 1 where a row misses its aim.
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { cannotStart, Platform } from '../many-servers/platform.ts';
import { measureServers, misses } from './many-servers-rows.ts';
import type { Row } from './servers-bench.ts';

const options = readOptions({
  options: {
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
    /** Requests of each figure. */
    requests: { type: 'string', default: '600' },
    batches: { type: 'string', default: '24' },
    /** Requests to each server before anything is measured. */
    warmup: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    /** How often a server is killed in a write, and how often one is stopped. */
    kills: { type: 'string', default: '3' },
    stops: { type: 'string', default: '1' },
  },
});

const SERVERS = 3;

function lineOf(row: Row): string {
  const { name, value, unit, aim } = row;
  const wanted = aim === null ? '' : `aim ${'least' in aim ? `${aim.least} or more` : `${aim.most} or less`}`;
  const figure = unit === 'failed' ? `${value}` : value.toFixed(value < 100 ? 2 : 0);
  return `${name.padEnd(62)} ${figure.padStart(8)} ${unit.padEnd(8)}  ${wanted}${misses(row) ? ' !' : ''}\n`;
}

async function main(): Promise<void> {
  if (cannotStart !== undefined) {
    process.stdout.write(`not measured: ${cannotStart}\n`);
    return;
  }
  await using platform = await Platform.start(SERVERS, 0, true);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void platform[Symbol.asyncDispose]().then(() => process.exit(1)));
  }
  const sizes = {
    requests: Number(options.requests),
    batches: Number(options.batches),
    warmup: Number(options.warmup),
    rounds: Number(options.rounds),
    kills: Number(options.kills),
    stops: Number(options.stops),
  };
  const rows = await measureServers(platform, sizes, (row) => process.stdout.write(lineOf(row)));
  process.stdout.write(`load of the machine: ${loadavg().map((load) => load.toFixed(1))}\n`);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
  if (options.check && rows.some(misses)) process.exitCode = 1;
}

await main();
