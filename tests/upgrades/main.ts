/** `npm run crash:upgrade -- --kills 20 [--seed 1]`: kills while data directories of earlier versions are taken over, for each fixture. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { fixtureNames } from './fixture.ts';
import { playUpgrade } from './kill.ts';

const values = readOptions({
  options: { kills: { type: 'string', default: '10' }, seed: { type: 'string', default: `${Date.now() % 1_000_000}` } },
});
const options = { kills: Number(values.kills), seed: Number(values.seed) };
// The newest has nothing to migrate until the next migration is added.
for (const name of fixtureNames().slice(0, -1)) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-upgrade-'));
  try {
    const figures = await playUpgrade(scratch, name, options);
    process.stdout.write(`${name}: nothing was lost: ${JSON.stringify({ ...options, ...figures })}\n`);
  } catch (error) {
    process.stderr.write(`${name} failed with seed ${values.seed}; the data are in ${scratch}\n`);
    throw error;
  }
  rmSync(scratch, { recursive: true, force: true });
}
