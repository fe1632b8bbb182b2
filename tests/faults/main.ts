/** `node --conditions=@broadside/source tests/faults/main.ts --rounds 50 [--seed 1]`: faults of the disk, as often as you like. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FaultControl } from './control.ts';
import { playFaults } from './round.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, seed: { type: 'string' } } });
const first = Number(values.seed ?? Date.now() % 1_000_000);
const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-faults-'));
const directory = path.join(scratch, 'data');
mkdirSync(directory, { mode: 0o700 });
const control = new FaultControl(scratch, first);
for (let round = 0; round < Number(values.rounds); round += 1) {
  const seed = first + round;
  try {
    process.stdout.write(`seed ${seed}: ${JSON.stringify(await playFaults(directory, control, seed))}\n`);
  } catch (error) {
    process.stderr.write(`seed ${seed} failed; the data are in ${directory}\n`);
    throw error;
  }
}
control.close();
rmSync(scratch, { recursive: true, force: true });
process.stdout.write(`${values.rounds} rounds, nothing lost and nothing stored that was rejected\n`);
