// `npm run check`: everything that CI runs except the tests. Each step prints one line when it is done; a failure shows its
// output, and the other steps run regardless, so that one run reports everything.
//   npm run check -- --only biome,knip
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { readOptions } from './options.mjs';
import { pack, publicPackages } from './packages.mjs';
import { environment, root } from './toolchain.mjs';

/** @typedef {{ readonly code: number, readonly output: string }} Outcome */

/**
 * Two run at a time, in this order: the types take as long as all others together.
 * @type {Record<string, { about: string, run: () => Promise<Outcome> }>}
 */
const steps = {
  types: {
    about: 'types of all packages, tests and scripts',
    run: () =>
      execute('turbo', ['run', 'typecheck', '--continue', '--output-logs=errors-only', '--no-update-notifier']),
  },
  biome: {
    about: 'format, lint, boundaries between packages, import cycles',
    run: () => execute('biome', ['ci', '--error-on-warnings', '--max-diagnostics=50', '.']),
  },
  rules: { about: 'rules of the repository', run: () => execute('node', ['tooling/scripts/rules.mjs']) },
  knip: {
    about: 'unused files, exports and dependencies',
    run: () => execute('knip', ['--treat-config-hints-as-errors']),
  },
  packages: { about: 'packages as their users get them', run: checkPackages },
  fixtures: {
    about: 'schemas of releases are kept as fixtures, and released migrations are as they were',
    run: () => execute('node', ['tooling/scripts/fixtures.mjs']),
  },
  changesets: { about: 'changes that users see are described', run: checkChangesets },
};

/**
 * Runs a command to its end and collects its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<Outcome>}
 */
function execute(command, args) {
  const shell = process.platform === 'win32';
  const child = spawn(command, args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'], shell });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child
      .on('error', ({ message }) => resolve({ code: 1, output: `${message}\n` }))
      .on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

async function checkPackages() {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-check-'));
  try {
    /** @type {Outcome[]} */
    const outcomes = [];
    const folders = publicPackages().map(({ folder }) => folder);
    for (const tarball of pack(folders, directory)) {
      // The packages are ES modules: compatibility with `require` of old resolution is irrelevant.
      outcomes.push(await lint(tarball), await execute('attw', ['--profile=esm-only', '--no-emoji', tarball]));
    }
    return together(outcomes);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Lints a packed package with publint.
 * @param {string} tarball
 * @returns {Promise<Outcome>}
 */
async function lint(tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const { messages, pkg } = await publint({
    strict: true,
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
  });
  // Sources are not published. publint knows that of files under a condition of our own, but not of patterns.
  const faults = messages.filter(
    ({ code, path: place }) => !(code === 'EXPORTS_GLOB_NO_MATCHED_FILES' && place.at(-1) === '@broadside/source'),
  );
  const output = faults.map((message) => `${pkg.name}: ${formatMessage(message, pkg)}\n`).join('');
  return { code: faults.length > 0 ? 1 : 0, output };
}

async function checkChangesets() {
  // A checkout of one branch, as in CI, has nothing to compare with; the files must still be valid there.
  const { baseBranch } = JSON.parse(readFileSync(path.join(root, '.changeset/config.json'), 'utf8'));
  const { code } = await execute('git', ['rev-parse', '--verify', '--quiet', baseBranch]);
  const comparable = code === 0;
  return execute('changeset', ['status', ...(comparable ? [] : ['--since=HEAD'])]);
}

/** @param {Outcome[]} outcomes */
function together(outcomes) {
  const failed = outcomes.filter(({ code }) => code !== 0);
  return { code: failed[0]?.code ?? 0, output: failed.map(({ output }) => output).join('\n') };
}

const values = readOptions({ options: { only: { type: 'string' } } });
const chosen = values.only?.split(',') ?? Object.keys(steps);
const unknown = chosen.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) {
  process.stderr.write(`unknown check "${unknown[0]}"; --only takes some of: ${Object.keys(steps).join(',')}\n`);
  process.exit(2);
}
/** @type {string[]} */
const failures = [];
const waiting = Object.entries(steps).filter(([name]) => chosen.includes(name));
async function runWaiting() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const [name, { about, run }] = step;
    const began = performance.now();
    const { code, output } = await run();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name.padEnd(10)}  ${about} (${seconds} s)\n`);
    if (code === 0) continue;
    failures.push(name);
    process.stdout.write(`${output.trimEnd()}\n\n`);
  }
}
await Promise.all([runWaiting(), runWaiting()]);
if (failures.length > 0) {
  process.stdout.write(`check failed: ${failures.join(', ')}\n`);
  process.exitCode = 1;
}
