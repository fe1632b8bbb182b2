/** `broadside ci` as a process, as jobs run it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { processMark } from '@broadside/server/place';
import { expect, test } from 'vitest';
import { commandArguments } from './testing/command.ts';
import { emptyDirectory } from './testing/run-cli.ts';

/** Directories of servers go here, so that what is left shows. */
const tmp = emptyDirectory();
const { PATH, NODE_COMPILE_CACHE } = process.env;

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [...commandArguments, ...words], {
    cwd: tmp,
    env: { PATH, NODE_COMPILE_CACHE, TMPDIR: tmp, XDG_CONFIG_HOME: tmp, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function outcomeOf(child: ChildProcess) {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on('close', (...ended) => resolve(ended)),
  );
  return { code, signal, stdout, stderr };
}

const left = () => readdirSync(tmp).filter((name) => name.startsWith('broadside-ci-'));

/** One that has ended runs no more, although its number is taken until its parent, here the first process of the machine, looks. */
const isRunning = (pid: number) => processMark(pid) !== undefined;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

test('the command finds a server, its credentials and nothing of other platforms; its exit code is passed on', async () => {
  const program = `
    const { BROADSIDE_API_URL, BROADSIDE_PROFILE, BROADSIDE_BASE_URL, BROADSIDE_ACCOUNT_ID, BROADSIDE_SANDBOX_ACCOUNT_ID } = process.env;
    const { status } = await fetch(BROADSIDE_API_URL + '/ready');
    console.log(status, BROADSIDE_PROFILE, BROADSIDE_BASE_URL, BROADSIDE_ACCOUNT_ID === BROADSIDE_SANDBOX_ACCOUNT_ID, process.argv[1]);
    process.exit(7);`;
  const words = ['ci', '--sandbox', '--', process.execPath, '--input-type=module', '--eval', program, '--', '--json'];
  const outcome = await outcomeOf(
    start(words, { BROADSIDE_PROFILE: 'work', BROADSIDE_BASE_URL: 'https://api.example.com' }),
  );
  expect(outcome).toEqual({ code: 7, signal: null, stdout: '200 undefined undefined true --json\n', stderr: '' });
  expect(left()).toEqual([]);
});

test('the command controls the worlds of its own server, whatever runs beside it', async () => {
  const program = `
    const { BROADSIDE_CONTROL_URL, BROADSIDE_OPERATOR_TOKEN } = process.env;
    const headers = { authorization: 'Bearer ' + BROADSIDE_OPERATOR_TOKEN };
    const made = await fetch(BROADSIDE_CONTROL_URL + '/worlds', { method: 'POST', headers });
    const { data } = await made.json();
    const calls = await fetch(BROADSIDE_CONTROL_URL + '/worlds/' + data.id + '/journal', { headers });
    console.log(made.status, data.origin, (await calls.json()).errors?.[0].code);`;
  const words = ['ci', '--', process.execPath, '--input-type=module', '--eval', program];
  const settings = { BROADSIDE_CONTROL_URL: 'http://127.0.0.1:9', BROADSIDE_JOURNAL: 'off' };
  const outcome = await outcomeOf(start(words, settings));
  expect(outcome).toEqual({ code: 0, signal: null, stdout: '200 DEMO JOURNAL_CLOSED\n', stderr: '' });
});

test('files are seeded before the command runs, and their ids are in a file that it finds', async () => {
  const first = path.join(tmp, 'first.yaml');
  const second = path.join(tmp, 'second.yaml');
  writeFileSync(first, 'users: [{ screen_name: ana }]\napps: [{ name: Desk, owner: ana }]\n');
  writeFileSync(
    second,
    'accounts: [{ name: Books, owner: demo, custom_audiences: [{ as: dealers, name: Dealers }] }]\n',
  );
  const program = `
    const { readFileSync } = require('node:fs');
    const { users, apps, accounts } = JSON.parse(readFileSync(process.env.BROADSIDE_SEEDED, 'utf8'));
    console.log(Object.keys(users), Object.keys(apps.Desk), Object.keys(accounts.Books.ids));`;
  const seeds = ['--seed', first, '--seed', second];
  expect(await outcomeOf(start(['ci', ...seeds, '--', process.execPath, '--eval', program]))).toEqual({
    code: 0,
    signal: null,
    stdout: "[ 'ana' ] [ 'consumer_key', 'consumer_secret' ] [ 'dealers' ]\n",
    stderr: '',
  });
  writeFileSync(second, 'accounts: [{ name: Books, owner: demoo }]\n');
  expect(await outcomeOf(start(['ci', ...seeds, '--', 'true']))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('line 1, column 34: accounts[0].owner: no user "demoo"'),
  });
  expect(await outcomeOf(start(['ci', '--seed', 'nowhere.yaml', '--', 'true']))).toMatchObject({ code: 2 });
  expect(left()).toEqual([]);
});

test('a signal is passed on, and the end by one too', async () => {
  const child = start(['ci', '--', process.execPath, '--eval', 'console.log("up"); setInterval(() => {}, 1000)']);
  child.stdout?.once('data', () => child.kill('SIGTERM'));
  expect(await outcomeOf(child)).toMatchObject({ code: null, signal: 'SIGTERM', stdout: 'up\n', stderr: '' });
  expect(left()).toEqual([]);
});

test('where it is killed, server, command and what that has started end, and the directory goes', async () => {
  const file = path.join(tmp, 'pids');
  const child = start(['ci', '--', 'sh', '-c', `sleep 600 & echo "$$ $!" > ${file}; wait`]);
  const ended = outcomeOf(child);
  const hasStarted = () => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n');
  await Promise.race([until(hasStarted), ended.then((outcome) => expect(outcome).toBe('still running'))]);
  const [directory = ''] = left();
  const server = JSON.parse(readFileSync(path.join(tmp, directory, 'data/server.json'), 'utf8'));
  const pids = [server.pid, ...readFileSync(file, 'utf8').trim().split(' ').map(Number)];
  expect(pids.map(isRunning)).toEqual([true, true, true]);
  child.kill('SIGKILL');
  await ended;
  await until(() => left().length === 0);
  await until(() => !pids.some(isRunning));
});

test('a command that is not there, and a server that does not start', async () => {
  expect(await outcomeOf(start(['ci', '--', 'nonsuch-command']))).toMatchObject({
    code: 127,
    stderr: 'broadside: there is no command "nonsuch-command"\n',
  });
  expect(await outcomeOf(start(['ci', '--', 'true'], { BROADSIDE_RATE_LIMITS: 'some' }))).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(
      /^broadside: The server did not start\n {2}broadside: BROADSIDE_RATE_LIMITS has "some"/,
    ),
  });
  expect(await outcomeOf(start(['ci']))).toMatchObject({ code: 2 });
  expect(left()).toEqual([]);
});
