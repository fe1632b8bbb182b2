// The `test` script of each package: runs the tests of the current folder, and writes their counts to
// `test-results/counts.json`, which turbo caches, so that `npm test` can add up the tests that ran now and the cached
// ones.
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
