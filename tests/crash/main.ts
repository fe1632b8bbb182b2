/** `node --conditions=@broadside/source tests/crash/main.ts --rounds 50 [--seed 1]`: the crash test, as often as you like. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { beginPlay, endPlay, playRound } from './round.ts';

/** Rounds on one data directory, the first of which kills servers that start for the first time. */
const ROUNDS_EACH = 20;

const values = readOptions({ options: { rounds: { type: 'string', default: '3' }, seed: { type: 'string' } } });
const first = Number(values.seed ?? Date.now() % 1_000_000);
const rounds = Number(values.rounds);
const sums = new Map<string, number>();
/** Rounds in which the server was killed while it published. */
let whilePublishing = 0;
let play = beginPlay('');
for (let i = 0; i < rounds; i++) {
  if (i % ROUNDS_EACH === 0) {
    await end();
    play = beginPlay(mkdtempSync(path.join(tmpdir(), 'broadside-crash-')));
  }
  const seed = first + i;
  try {
    const figures = await playRound(play, seed, { goOn: true });
    for (const [name, figure] of Object.entries(figures)) sums.set(name, (sums.get(name) ?? 0) + figure);
    if (figures.dueAtKill > 0) whilePublishing++;
    process.stdout.write(`round ${i + 1} (seed ${seed}): ${JSON.stringify(figures)}\n`);
  } catch (error) {
    process.stderr.write(`round ${i + 1} failed with seed ${seed}; the data are in ${play.directory}\n`);
    await play.server?.end('SIGKILL');
    throw error;
  }
}
await end();
process.stdout.write(
  `${rounds} rounds, nothing lost, nothing half-applied and nothing published twice: ${JSON.stringify({ ...Object.fromEntries(sums), whilePublishing })}\n`,
);

/** Checks what is left to be checked on a data directory, and removes it. */
async function end(): Promise<void> {
  if (play.directory === '') return;
  await endPlay(play);
  rmSync(play.directory, { recursive: true, force: true });
}
