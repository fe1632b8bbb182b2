/** `npm run crash:restart -- --restarts 100 [--workers 2]`: restarts of a server under load. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from '../../../tooling/scripts/options.mjs';
import { playRestarts } from './play.ts';

const values = readOptions({
  options: { restarts: { type: 'string', default: '100' }, workers: { type: 'string', default: '2' } },
});
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-restart-'));
const figures = await playRestarts(directory, { restarts: Number(values.restarts), workers: Number(values.workers) });
process.stdout.write(`nothing was refused, reset or lost: ${JSON.stringify(figures)}\n`);
rmSync(directory, { recursive: true, force: true });
