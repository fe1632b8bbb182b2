// The `test` script of each package: runs the tests of the folder that it is started in, and leaves their counts in
// `test-results/counts.json`, which turbo keeps, so that `npm test` can add up what ran now and what is cached.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { COUNTS_FILE } from './test-counts.mjs';
import { execute, root } from './toolchain.mjs';

const folder = path.resolve(process.argv[2] ?? '.');
const counts = path.join(folder, COUNTS_FILE);
mkdirSync(path.dirname(counts), { recursive: true });
rmSync(counts, { force: true });
process.env.BROADSIDE_TEST_COUNTS = counts;
const filter = `${path.relative(root, folder).split(path.sep).join('/')}/`;
process.exitCode = execute('vitest', ['run', '--passWithNoTests', filter], { show: true }).code;
