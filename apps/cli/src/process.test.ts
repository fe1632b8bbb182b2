/** The command as a process: a server that it starts, pipes that close, a server that is gone. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { approve, pinOn } from './testing/browser.ts';
import { commandArguments, commandLine } from './testing/command.ts';
import { emptyDirectory, runCli } from './testing/run-cli.ts';

const directory = emptyDirectory();
const credentials = path.join(directory, '.data/credentials.json');
const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: directory, BROADSIDE_LOG_LEVEL: 'silent' };
const mia = { screen_name: 'mia', password: 'correct horse' };
let server: ChildProcess;

/** Runs a line of a shell in which `broadside` is ours. */
async function shell(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = `broadside() { ${commandLine} "$@"; }\n${line}`;
  try {
    return { code: 0, ...(await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: directory, env })) };
  } catch (error) {
    const failed: Partial<Record<'code' | 'stdout' | 'stderr', unknown>> = Object(error);
    return { code: Number(failed.code), stdout: String(failed.stdout), stderr: String(failed.stderr) };
  }
}

beforeAll(async () => {
  const words = ['start', '--data-dir', '.data', '--api-port', '0', '--ads-port', '0', '--sandbox-port', '0'];
  server = spawn(process.execPath, [...commandArguments, ...words], {
    cwd: directory,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes('Broadside is ready') && existsSync(credentials)) resolve();
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  const create = `broadside admin users create --screen-name ${mia.screen_name} --password - --quiet`;
  await ok(`printf '%s' '${mia.password}' | ${create}`);
});

afterAll(() => {
  server.kill('SIGKILL');
});

/** Runs a line that must succeed, and gives what it printed. */
async function ok(line: string): Promise<string> {
  const { code, stdout, stderr } = await shell(line);
  expect({ code, stderr }, stderr).toMatchObject({ code: 0 });
  return stdout.trim();
}

/** Returns addresses for callbacks on unused ports of this machine: several, since others may take some before they are used. */
async function freeCallbacks(): Promise<string[]> {
  const others = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      return other;
    }),
  );
  const addresses = others.map((other) => other.address());
  await Promise.all(others.map((other) => new Promise((resolve) => other.close(resolve))));
  return addresses.map((at) => `http://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}/callback`);
}

test('wait, status and env of a server that runs', async () => {
  expect(await shell('broadside wait --timeout 600')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ is ready\n$/),
  });
  const status: unknown = JSON.parse(await ok('broadside status --json'));
  expect(status).toMatchObject({ state: 'ready', pid: server.pid, data_directory: path.join(directory, '.data') });
  const { ads_sandbox_base_url } = JSON.parse(readFileSync(credentials, 'utf8'));
  expect(await ok('broadside status --query urls.sandbox')).toBe(ads_sandbox_base_url);
  expect(await ok('eval "$(broadside env --sandbox)"; cd /; broadside accounts list --query "length(@)"')).toBe('1');
  const elsewhere = await shell('broadside wait --timeout 0 --data-dir nowhere');
  expect(elsewhere).toMatchObject({ code: 5, stderr: expect.stringContaining('no server runs on') });
  expect(await shell('broadside status --data-dir nowhere')).toMatchObject({ code: 5 });
  expect(await shell('broadside stop --data-dir nowhere')).toMatchObject({ code: 0 });
});

test('no other process is signalled that has the number of a server which has gone', async () => {
  const folder = path.join(directory, 'left');
  mkdirSync(folder);
  const bystander = spawn('sleep', ['3600'], { stdio: 'ignore' });
  onTestFinished(() => void bystander.kill('SIGKILL'));
  const file = JSON.parse(readFileSync(path.join(directory, '.data/server.json'), 'utf8'));
  writeFileSync(path.join(folder, 'server.json'), JSON.stringify({ ...file, pid: bystander.pid }));
  expect(await shell('broadside stop --data-dir left')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('No server runs on'),
  });
  expect(await shell('broadside status --data-dir left')).toMatchObject({ code: 5 });
  writeFileSync(
    path.join(folder, 'server.json'),
    JSON.stringify({ ...file, pid: bystander.pid, machine: 'elsewhere' }),
  );
  expect(await shell('broadside stop --data-dir left')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('runs on elsewhere'),
  });
  expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
});

test('login with a PIN in two steps, whoami, logout', async () => {
  const page = await approve(await ok('broadside login --headless < /dev/null'), mia);
  expect(await shell('broadside login --pin 0000000')).toMatchObject({ code: 3 });
  expect(await shell(`broadside login --pin ${pinOn(page)} --read-only`)).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('Signed in as mia'),
  });
  expect(JSON.parse(await ok('broadside whoami --profile mia --json'))).toMatchObject({
    screen_name: 'mia',
    profile: 'mia',
    accepted: true,
  });
  const file = path.join(directory, 'broadside/profiles.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = JSON.parse(readFileSync(file, 'utf8'));
  expect(await shell('broadside logout mia')).toMatchObject({
    code: 0,
    stderr: 'Removed profile mia. Its token is revoked.\n',
  });
  writeFileSync(file, JSON.stringify(before));
  expect(await shell('broadside whoami --profile mia')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/accepted +no\n/),
    stderr: expect.stringContaining('89: '),
  });
  expect(await shell('broadside logout mia')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('was not valid any more'),
  });
});

test('a PIN comes over a pipe that stays open', async () => {
  const words = ['login', '--headless', '--profile', 'piped'];
  const child = spawn(process.execPath, [...commandArguments, ...words], {
    cwd: directory,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const url = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim())),
  );
  child.stdin.write(`${pinOn(await approve(url, mia))}\n`);
  expect(await ended).toBe(0);
});

test('login by a browser on this machine', async () => {
  const callbacks = await freeCallbacks();
  const { consumer_key } = JSON.parse(readFileSync(credentials, 'utf8'));
  let browsing: Promise<{ html: string }> | undefined;
  const onStderr = (written: string) => {
    const [url] = /http\S+oauth_token=\S+/.exec(written) ?? [];
    if (url && written.includes('Waiting')) browsing ??= approve(url, mia);
  };
  const logIn = () =>
    runCli('login --profile here', {
      cwd: directory,
      env: { XDG_CONFIG_HOME: directory },
      fetch: globalThis.fetch,
      callbacks,
      onStderr,
    });
  const refused = await logIn();
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not allow callbacks to this machine (415)'),
  });
  // The commands that the rejection suggests, verbatim.
  const [advice = ''] = /broadside admin apps update .*/.exec(refused.stderr) ?? [];
  expect(advice).toContain(`--consumer-key ${consumer_key}`);
  await ok(advice);
  expect(await logIn()).toMatchObject({ code: 0, stderr: expect.stringContaining('Saved as profile here') });
  expect((await browsing)?.html).toContain('The command line is signed in as @mia.');
  expect(JSON.parse(await ok('broadside whoami --profile here --json'))).toMatchObject({
    user_id: expect.any(String),
    accepted: true,
  });
});

test('start, list, a pipe that is closed early, and a server that is gone', async () => {
  expect(await shell('broadside campaigns list')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Nothing found.\n',
  });
  const features = 'set -o pipefail; broadside features list --sandbox | head -1';
  expect(await shell(features)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^[A-Z_]+\n$/) });
  const help = 'set -o pipefail; broadside help campaigns create | head -c 10';
  expect(await shell(help)).toMatchObject({ code: 0, stderr: '' });
  expect(await shell('broadside accounts list --json | cat')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\[\n {2}\{\n/),
  });
  expect(
    await shell('printf "correct horse\\n" | broadside admin users create --screen-name ann --password - --quiet'),
  ).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\n$/),
  });
  server.removeAllListeners('exit');
  const ended = new Promise((resolve) => server.on('exit', resolve));
  expect(await shell('broadside stop')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Stopped the server on /),
  });
  expect(await ended).toBe(0);
  expect(existsSync(path.join(directory, '.data/server.json'))).toBe(false);
  const gone = await shell('broadside accounts list');
  expect(gone).toMatchObject({ code: 5, stdout: '' });
  expect(gone.stderr).toMatch(
    /^broadside: accounts.list got no answer from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*\n {2}Is the server running\? Start one with `broadside start`/,
  );
  expect(await shell('broadside admin users list')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('broadside start'),
  });
  expect(JSON.parse(readFileSync(credentials, 'utf8'))).toMatchObject({ screen_name: 'demo' });
});

test('a wrong setting ends the start with one line', async () => {
  const { code, stderr } = await shell('broadside start --api-port nowhere');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^broadside: BROADSIDE_API_PORT is "nowhere"[^\n]*\n$/);
  expect(await shell('broadside start --api-prot 1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('did you mean --api-port?'),
  });
});
