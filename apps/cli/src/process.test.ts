/** The command as a process: a server that it starts, pipes that close, a server that is gone. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyDirectory } from './testing/run-cli.ts';

const directory = emptyDirectory();
const credentials = path.join(directory, '.data/credentials.json');
const main = [
  process.execPath,
  '--conditions=@broadside/source',
  '--disable-warning=ExperimentalWarning',
  path.join(import.meta.dirname, 'main.ts'),
] as const;
const [node, ...before] = main;
const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: directory, BROADSIDE_LOG_LEVEL: 'silent' };
let server: ChildProcess;

/** Runs a line of a shell in which `broadside` is ours. */
async function shell(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = `broadside() { ${main.map((word) => `'${word}'`).join(' ')} "$@"; }\n${line}`;
  try {
    return { code: 0, ...(await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: directory, env })) };
  } catch (error) {
    const failed: Partial<Record<'code' | 'stdout' | 'stderr', unknown>> = Object(error);
    return { code: Number(failed.code), stdout: String(failed.stdout), stderr: String(failed.stderr) };
  }
}

beforeAll(async () => {
  const words = ['start', '--data-dir', '.data', '--api-port', '0', '--ads-port', '0', '--sandbox-port', '0'];
  server = spawn(node, [...before, ...words], { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes('Broadside is ready') && existsSync(credentials)) resolve();
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
});

afterAll(() => {
  server.kill('SIGKILL');
});

test('start, list, a pipe that is closed early, and a server that is gone', async () => {
  expect(await shell('broadside campaigns list --sandbox')).toEqual({
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
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
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
