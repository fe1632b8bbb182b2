// Installs the pinned Node and pnpm into .toolchain and the workspace's dependencies into node_modules. Runs on any
// Node >= 18 with npm, so it is plain JavaScript and imports nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const toolchain = path.join(root, '.toolchain');

/** The exact versions with which every machine develops, builds and tests. */
export const NODE_VERSION = '24.21.0';
export const PNPM_VERSION = '12.21.0';

/** The environment of all further commands: the pinned Node and pnpm come first on PATH. */
export function environment() {
  const bins = [path.join(root, 'node_modules', '.bin'), path.join(toolchain, 'node_modules', '.bin')];
  return {
    ...process.env,
    PATH: [...bins, process.env.PATH].join(path.delimiter),
    // A build tool should not send telemetry.
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
  };
}

/**
 * Runs a command to its end and collects its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ show?: boolean }} [options] show: the output is printed directly, and not collected.
 * @returns {{ code: number, stdout: string, output: string }} output: both streams.
 */
export function execute(command, args, { show = false } = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: environment(),
    stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  const complaint = `${stderr ?? ''}${error ? `${error.message}\n` : ''}`;
  return { code: status ?? 1, stdout: stdout ?? '', output: `${stdout ?? ''}${complaint}` };
}

/**
 * Runs a command to its end. When it fails, reports it and ends this process with its code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ quiet?: boolean, hint?: string }} [options] quiet: the output is shown only when the command fails;
 * hint: advice for the reader of the failure.
 */
export function run(command, args, { quiet = false, hint } = {}) {
  const { code, output } = execute(command, args, { show: !quiet });
  if (code === 0) return;
  say(output.trimEnd());
  say(hint ?? `failed: ${[command, ...args].join(' ')}`);
  process.exit(code);
}

/** @param {string} text */
export function say(text) {
  if (text !== '') process.stderr.write(`${text}\n`);
}

/**
 * The npm package that carries the Node binary of a machine, so that no install script has to run.
 * @param {string} version
 */
export function nodePackage(version) {
  const { arch, platform } = process;
  const family = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return `${family}-${platform === 'win32' ? 'win' : platform}-${arch}@${version}`;
}

/** @param {string} name */
function stamp(name) {
  const file = path.join(toolchain, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function installToolchain() {
  const packages = [nodePackage(NODE_VERSION), `pnpm@${PNPM_VERSION}`];
  const wanted = `${packages.join('\n')}\n`;
  if (stamp('toolchain.txt') === wanted) return;
  say(`Fetching Node ${NODE_VERSION} and pnpm ${PNPM_VERSION} ...`);
  mkdirSync(toolchain, { recursive: true });
  writeFileSync(path.join(toolchain, 'package.json'), '{ "private": true }\n');
  const flags = [
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--ignore-scripts',
    '--loglevel=error',
    // By default npm silently retries for minutes before it reports that there is no network. In CI nobody waits for the report.
    ...(process.env.CI === undefined
      ? ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
      : ['--fetch-retries=4']),
  ];
  run('npm', ['install', '--prefix', toolchain, ...flags, ...packages], {
    quiet: true,
    hint: 'Could not fetch Node and pnpm: this needs npm on PATH and a way to the npm registry. Nothing else was changed; run it again.',
  });
  // pnpm's install script replaces a shell script without a shebang, which turbo cannot start, by its native binary.
  run('node', [path.join(toolchain, 'node_modules', 'pnpm', 'install.js')], { quiet: true });
  writeFileSync(path.join(toolchain, 'toolchain.txt'), wanted);
}

/** Files that determine the installed packages. */
function manifests() {
  const rooms = ['packages', 'apps', 'tooling'].flatMap((room) =>
    readdirSync(path.join(root, room)).map((name) => path.join(room, name)),
  );
  const packages = ['.', 'tests', 'docs/examples', ...rooms].map((room) => path.join(room, 'package.json'));
  return [...packages, 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].filter((file) => existsSync(path.join(root, file)));
}

function installDependencies() {
  const hash = createHash('sha256');
  for (const file of manifests()) hash.update(file).update(readFileSync(path.join(root, file)));
  const wanted = hash.digest('hex');
  if (stamp('dependencies.txt') === wanted && existsSync(path.join(root, 'node_modules', '.pnpm'))) return;
  say('Installing dependencies ...');
  run('pnpm', ['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=error'], {
    quiet: true,
    hint: 'Could not install the dependencies: this needs a way to the npm registry, and a pnpm-lock.yaml that fits every package.json (`pnpm install` makes it fit).',
  });
  writeFileSync(path.join(toolchain, 'dependencies.txt'), wanted);
}

/** Prepares the checkout for building, testing and running; does nothing when it is up to date. */
export function prepare() {
  installToolchain();
  installDependencies();
}
