/**
 * `npm run faults -- --rounds 50 [--seed 1] [--power 50]`: faults of the disk, and losses of power, as often as you like. Of the
 * losses, some are on disks that lie about syncs. As many follow while worlds are copied.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { beginPlay, endPlay } from '../crash/worlds/round.ts';
import { FaultControl } from './control.ts';
import { checkTrace, type Disk, playPowerLoss } from './power-loss.ts';
import { playFaults } from './round.ts';
import { playWorldPowerLoss } from './worlds-power-loss.ts';

const values = readOptions({
  options: {
    rounds: { type: 'string', default: '3' },
    power: { type: 'string', default: '3' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
  },
});
const first = Number(values.seed);
const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-faults-'));
const directory = path.join(scratch, 'data');
mkdirSync(directory, { mode: 0o700 });
const control = new FaultControl(scratch, first);

async function play(count: number, round: (seed: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const seed = first + i;
    try {
      process.stdout.write(`seed ${seed}: ${JSON.stringify(await round(seed))}\n`);
    } catch (error) {
      process.stderr.write(`seed ${seed} failed; the data are in ${directory}\n`);
      throw error;
    }
  }
}

const diskOf = (seed: number): Disk =>
  seed % 8 === 0 ? 'lies about everything' : seed % 4 === 0 ? 'lies about a store' : 'honest';
await play(Number(values.rounds), (seed) => playFaults(directory, control, seed));
if (Number(values.power) > 0) await checkTrace({ directory, scratch }, control, first);
await play(Number(values.power), (seed) => playPowerLoss({ directory, scratch }, control, seed, diskOf(seed)));
const worlds = beginPlay(path.join(scratch, 'worlds'));
mkdirSync(worlds.directory, { mode: 0o700 });
await play(Number(values.power), (seed) => playWorldPowerLoss(worlds, scratch, control, seed));
if (Number(values.power) > 0) await endPlay(worlds);
control.close();
rmSync(scratch, { recursive: true, force: true });
process.stdout.write(
  `${values.rounds} rounds of faults and ${values.power} losses of power: nothing lost and nothing stored that was rejected\n`,
);
