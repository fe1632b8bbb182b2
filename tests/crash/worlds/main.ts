/** `npm run crash:worlds -- --rounds 50 [--seed 1]`: kills while worlds are made, replaced and deleted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from '../../../tooling/scripts/options.mjs';
import { beginPlay, endPlay, playRound } from './round.ts';

const values = readOptions({
  options: { rounds: { type: 'string', default: '3' }, seed: { type: 'string', default: `${Date.now() % 1_000_000}` } },
});
const play = beginPlay(mkdtempSync(path.join(tmpdir(), 'broadside-crash-worlds-')));
const sums = new Map<string, number>();
for (let round = 0; round < Number(values.rounds); round++) {
  const seed = Number(values.seed) + round;
  try {
    const figures = await playRound(play, seed);
    for (const [name, figure] of Object.entries(figures)) sums.set(name, (sums.get(name) ?? 0) + figure);
    process.stdout.write(`round ${round + 1} (seed ${seed}): ${JSON.stringify(figures)}\n`);
  } catch (error) {
    process.stderr.write(`round ${round + 1} failed with seed ${seed}; the data are in ${play.directory}\n`);
    throw error;
  }
}
await endPlay(play);
rmSync(play.directory, { recursive: true, force: true });
process.stdout.write(`nothing lost, half done or left behind: ${JSON.stringify(Object.fromEntries(sums))}\n`);
