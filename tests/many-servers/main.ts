/** `npm run many-servers -- --rounds 8 [--servers 3] [--shards 2] [--seed 1] [--only redis] [--only 'kill server']`: kills and stops each part of a platform in turn. */

import { readOptions } from '../../tooling/scripts/options.mjs';
import { checkLimit, checkReplay } from './checks.ts';
import { cannotStart, Platform } from './platform.ts';
import { beginPlay, endPlay, type Fault, playRound } from './round.ts';

const values = readOptions({
  options: {
    rounds: { type: 'string', default: '2' },
    servers: { type: 'string', default: '3' },
    shards: { type: 'string', default: '0' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});

/** Milliseconds that a part is away: killed, stopped for less than the deadlines and longer than them, or longer than leases. */
const KILLED_MS = 500;
const STOPPED_MS = { server: [1500, 17_000], store: [1500, 7000], redis: [1000, 4000], media: [1500, 4000] } as const;

if (cannotStart !== undefined) {
  process.stdout.write(`not run: ${cannotStart}\n`);
  process.exit(0);
}
const only = values.only.toLowerCase();
const first = Number(values.seed ?? Date.now() % 1_000_000);
await using platform = await Platform.start(Number(values.servers), Number(values.shards));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void platform[Symbol.asyncDispose]().then(() => process.exit(1)));
}
// With it a write can fail after it was stored.
await platform.markCommits();
const play = beginPlay(platform, (line) => process.stdout.write(`  ${line}\n`));
await checkReplay(platform, play.client);
await checkLimit(platform, play.client);
process.stdout.write('a request is accepted once of all servers, and the limit is exact\n');
for (let round = 0; round < Number(values.rounds); round++) {
  const faults = platform.parts.flatMap((part): Fault[] => [
    { part, how: 'kill', ms: KILLED_MS },
    { part, how: 'stop', ms: STOPPED_MS[part.kind][round % 2] ?? 0 },
  ]);
  const wanted = faults.filter(({ how, part }) => `${how} ${part.name}`.toLowerCase().includes(only));
  const figures = await playRound(play, first + round, wanted);
  process.stdout.write(`round ${round + 1} (seed ${first + round}): ${JSON.stringify(figures)}\n`);
}
await endPlay(play);
process.stdout.write('nothing was lost, nothing was there twice, and all servers came back by themselves\n');
