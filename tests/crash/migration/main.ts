/** `npm run crash:migration -- --rows 100000 --kills 20 [--seed 1]`: kills during the migration of full stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from '../../../tooling/scripts/options.mjs';
import { playMigrations } from './play.ts';

const values = readOptions({
  options: {
    rows: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
  },
});
const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-migration-'));
const options = { rows: Number(values.rows), kills: Number(values.kills), seed: Number(values.seed) };
try {
  const figures = await playMigrations(scratch, options);
  process.stdout.write(`the same stores as without a kill: ${JSON.stringify({ ...options, ...figures })}\n`);
} catch (error) {
  process.stderr.write(`failed with seed ${values.seed}; the data are in ${scratch}\n`);
  throw error;
}
rmSync(scratch, { recursive: true, force: true });
