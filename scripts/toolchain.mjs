// Puts the pinned Node and pnpm into .toolchain and the workspace's dependencies into node_modules.
// Runs on any Node >= 18 with npm, so it is plain JavaScript and imports nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const toolchain = path.join(root, '.toolchain');

/** The exact versions that every machine develops, builds and tests with. */
const NODE_VERSION = '24.21.0';
const PNPM_VERSION = '12.21.0';

/** The environment in which every further command runs: the pinned Node and pnpm come first on PATH. */
export function environment() {
  const bins = [path.join(root, 'node_modules', '.bin'), path.join(toolchain, 'node_modules', '.bin')];
  return { ...process.env, PATH: [...bins, process.env.PATH].join(path.delimiter) };
}

/**
 * Runs a command to its end; on failure prints what was run and exits with its code.
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean }} [options] quiet: the command's output is shown only when it fails.
 */
export function run(command, args, { quiet = false } = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: environment(),
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (result.status === 0) return;
  if (quiet) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  if (result.error) process.stderr.write(`${result.error.message}\n`);
  process.stderr.write(`failed: ${[command, ...args].join(' ')}\n`);
  process.exit(result.status ?? 1);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function stamp(file) {
  const at = path.join(toolchain, file);
  return existsSync(at) ? readFileSync(at, 'utf8') : '';
}

function setStamp(file, value) {
  writeFileSync(path.join(toolchain, file), value);
}

function installToolchain() {
  const wanted = `node ${NODE_VERSION} pnpm ${PNPM_VERSION} ${process.platform} ${process.arch}`;
  if (stamp('toolchain.txt') === wanted) return;
  say(`Fetching Node ${NODE_VERSION} and pnpm ${PNPM_VERSION} from the npm registry ...`);
  mkdirSync(toolchain, { recursive: true });
  writeFileSync(path.join(toolchain, 'package.json'), '{ "private": true }\n');
  // The platform's own package carries the binary, so no install script has to run.
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  run(
    'npm',
    [
      'install', '--prefix', toolchain, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts',
      `${prefix}-${platform}-${process.arch}@${NODE_VERSION}`, `pnpm@${PNPM_VERSION}`,
    ],
    { quiet: true },
  );
  setStamp('toolchain.txt', wanted);
}

function manifests() {
  const rooms = ['packages', 'apps', 'tooling'].flatMap((room) =>
    readdirSync(path.join(root, room)).map((name) => path.join(room, name, 'package.json')),
  );
  return ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', path.join('tests', 'package.json'), ...rooms];
}

function installDependencies() {
  const hash = createHash('sha256');
  for (const file of manifests()) {
    const at = path.join(root, file);
    if (existsSync(at)) hash.update(file).update(readFileSync(at));
  }
  const wanted = hash.digest('hex');
  if (stamp('dependencies.txt') === wanted && existsSync(path.join(root, 'node_modules', '.pnpm'))) return;
  say('Installing dependencies ...');
  run('pnpm', ['install', '--frozen-lockfile', '--reporter', 'silent'], { quiet: true });
  setStamp('dependencies.txt', wanted);
}

/** Makes the checkout ready to build, test and run; does nothing when it is ready already. */
export function prepare() {
  installToolchain();
  installDependencies();
}
