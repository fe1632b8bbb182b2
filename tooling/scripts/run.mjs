// `npm start`, `npm test` and the other root scripts: prepare the checkout, then run the command.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readOptions } from './options.mjs';
import { pack, publicPackages } from './packages.mjs';
import { test } from './test.mjs';
import { environment, prepare, root, run, say } from './toolchain.mjs';

const [command = '', ...rest] = process.argv.slice(2);

const build = () => {
  run('turbo', ['run', 'build', '--output-logs=errors-only', '--log-prefix=none', '--no-update-notifier'], {
    quiet: true,
    hint: 'The build failed.',
  });
};

/**
 * Runs a Node program in a process of its own and forwards signals: SIGTERM must reach it, and its exit code the shell.
 * @param {string[]} args
 */
const program = (args) => {
  // The greeting names the command of a checkout.
  const env = { BROADSIDE_CLI: './broadside', ...environment() };
  const child = spawn('node', args, { cwd: root, env, stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal));
  // npm ends its shell, not this process, when it gets a signal itself; a server must not stay behind and hold the
  // ports.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 250).unref();
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
};

/**
 * Runs a script that kills servers again and again, of the build: they start in a fraction of the time.
 * @param {string} script
 */
const killing = (script) => {
  build();
  process.env['TESTED_SERVER'] = 'build';
  run('node', ['--conditions=@broadside/source', script, ...rest]);
};

/** @type {Record<string, () => void>} */
const commands = {
  start: () => {
    build();
    program(['apps/server/dist/main.js', ...rest]);
  },
  dev: () => program(['--watch', '--conditions=@broadside/source', 'apps/server/src/main.ts', ...rest]),
  build,
  test: () => test(rest, build),
  'test:family': () => run('node', ['tooling/scripts/test-family.mjs', ...rest]),
  'test:watch': () => run('vitest', ['watch', ...rest]),
  check: () => {
    build();
    run('node', ['tooling/scripts/check.mjs', ...rest]);
  },
  fix: () => run('biome', ['check', '--write', ...rest]),
  bench: () => {
    build();
    run('node', ['--conditions=@broadside/source', 'tests/bench/main.ts', ...rest]);
  },
  'bench:ranges': () => {
    build();
    run('node', ['--conditions=@broadside/source', 'tests/bench/ranges.ts', ...rest]);
  },
  'bench:many-servers': () => {
    build();
    run('node', ['--conditions=@broadside/source', 'tests/bench/many-servers.ts', ...rest]);
  },
  soak: () => {
    build();
    run('node', ['--conditions=@broadside/source', 'tests/bench/soak.ts', ...rest]);
  },
  'soak:worlds': () => {
    build();
    run('node', ['--conditions=@broadside/source', 'tests/bench/soak-worlds.ts', ...rest]);
  },
  'soak:many-worlds': () => {
    build();
    run('node', ['--conditions=@broadside/source', 'tests/bench/many-worlds.ts', ...rest]);
  },
  crash: () => killing('tests/crash/main.ts'),
  'crash:migration': () => killing('tests/crash/migration/main.ts'),
  'crash:restart': () => killing('tests/crash/restart/main.ts'),
  'crash:upgrade': () => killing('tests/upgrades/main.ts'),
  'crash:worlds': () => killing('tests/crash/worlds/main.ts'),
  'many-servers': () => {
    build();
    run('node', ['--conditions=@broadside/source', 'tests/many-servers/main.ts', ...rest]);
  },
  'drill:backup': () =>
    run('node', ['--conditions=@broadside/source', 'apps/server/src/backup/testing/drill.ts', ...rest]),
  'drill:litestream': () =>
    run('node', ['--conditions=@broadside/source', 'apps/server/src/backup/testing/litestream-drill.ts', ...rest]),
  faults: () => killing('tests/faults/main.ts'),
  fuzz: () => {
    const names = { examples: 'EXAMPLES', seed: 'SEED', document: 'DOCUMENT', operation: 'OPERATION' };
    /** @type {import('node:util').ParseArgsConfig['options']} */
    const options = Object.fromEntries(Object.keys(names).map((name) => [name, { type: 'string' }]));
    const values = readOptions({ args: rest, options });
    const wanted = { examples: '50', ...values };
    for (const [name, variable] of Object.entries(names)) {
      const value = Object.hasOwn(wanted, name) ? wanted[/** @type {'examples'} */ (name)] : undefined;
      if (value !== undefined) process.env[`BROADSIDE_FUZZ_${variable}`] = String(value);
    }
    run('vitest', ['run', 'tests/src/schemathesis']);
  },
  pins: () => {
    process.env['PINS'] = 'update';
    run('vitest', ['run', 'tests/src/pins', ...rest]);
  },
  changeset: () => run('changeset', rest),
  pack: () => {
    build();
    const folder = path.join(root, 'tarballs');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const packages = publicPackages().map((each) => each.folder);
    for (const tarball of pack(packages, folder)) say(tarball);
  },
  'release:version': () => {
    run('changeset', ['version']);
    run('pnpm', ['install', '--lockfile-only']);
    run('node', ['tooling/scripts/readmes.mjs', '--published']);
    run('node', ['--conditions=@broadside/source', 'tests/upgrades/make.ts']);
  },
  'release:publish': () => {
    run('node', ['tooling/scripts/fixtures.mjs', '--release']);
    build();
    run('changeset', ['publish']);
  },
};

const chosen = Object.hasOwn(commands, command) ? commands[command] : undefined;
if (!chosen) {
  say(`unknown command "${command}"; one of: ${Object.keys(commands).join(', ')}`);
  process.exit(2);
}
prepare();
chosen();
