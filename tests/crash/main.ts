/** `node --conditions=@broadside/source tests/crash/main.ts --rounds 50 [--seed 1]`: the crash test, as often as you like. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { playRound } from './round.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, seed: { type: 'string' } } });
const first = Number(values.seed ?? Date.now() % 1_000_000);
const rounds = Number(values.rounds);
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-crash-'));
const sum = { acknowledged: 0, underWay: 0, underWayApplied: 0, requestsOfPeople: 0, due: 0, dueAtKill: 0 };
/** Rounds in which the server was killed while it published. */
let whilePublishing = 0;
for (let i = 0; i < rounds; i++) {
  const seed = first + i;
  try {
    const figures = await playRound(directory, seed);
    sum.acknowledged += figures.acknowledged;
    sum.underWay += figures.underWay;
    sum.underWayApplied += figures.underWayApplied;
    sum.requestsOfPeople += figures.requestsOfPeople;
    sum.due += figures.due;
    sum.dueAtKill += figures.dueAtKill;
    if (figures.dueAtKill > 0) whilePublishing++;
    process.stdout.write(`round ${i + 1} (seed ${seed}): ${JSON.stringify(figures)}\n`);
  } catch (error) {
    process.stderr.write(`round ${i + 1} failed with seed ${seed}; the data are in ${directory}\n`);
    throw error;
  }
}
rmSync(directory, { recursive: true, force: true });
process.stdout.write(
  `${rounds} rounds, nothing lost, nothing half-applied and nothing published twice: ${JSON.stringify({ ...sum, whilePublishing })}\n`,
);
