/** `broadside journal --follow`, on a server in this process that is started again, and as a process in a terminal. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer } from '@broadside/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutputClosed } from '../errors.ts';
import { commandArguments } from '../testing/command.ts';
import { OPERATOR_TOKEN, startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, type Outcome, type Outside, runCli } from '../testing/run-cli.ts';

let server: RunningServer;
const directory = emptyDirectory();
const config = emptyDirectory();
const data = path.join(directory, '.data');
/** That of the control, also after a restart. */
let port: string;

beforeAll(async () => {
  server = await startOperated(data, { demo: true });
  port = new URL(server.controlUrl ?? '').port;
});
afterAll(() => server.close());

const environment = () => ({
  XDG_CONFIG_HOME: config,
  BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN,
  BROADSIDE_CONTROL_PORT: port,
});

function cli(line: string, outside: Outside = {}): Promise<Outcome> {
  return runCli(line, { cwd: directory, env: environment(), fetch, ...outside });
}

async function ok(line: string): Promise<string> {
  const { code, stdout, stderr } = await cli(line);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** A command that follows, and what it has written so far. */
function following(line: string, outside: Outside = {}) {
  const written = { stdout: '', stderr: '' };
  let stop = () => {};
  const ended = cli(line, {
    onStdout: (text) => {
      written.stdout = text;
    },
    onStderr: (text) => {
      written.stderr = text;
    },
    onInterrupt: (given) => {
      stop = given;
    },
    sleep: (_, signal) => sleep(20, undefined, { signal }),
    ...outside,
  });
  return { written, ended, stop: () => stop() };
}

/** The operations of the lines. */
const operationsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).operation);

const patient = { timeout: 60_000, interval: 50 };

test('goes on when the server is started again and when the world is reset, says so, and ends with ^C', {
  timeout: 120_000,
}, async () => {
  const { id } = JSON.parse(await ok('world create --name watched --json'));
  await ok('world use watched');
  const { written, ended, stop } = following('journal --follow --json');
  await ok('accounts list');
  await expect.poll(() => operationsIn(written.stdout), patient).toEqual(['accounts.list']);
  await server.close();
  await expect.poll(() => written.stderr, patient).toContain('The server does not answer; waiting for it.\n');
  const { api, ads, sandbox } = server.localUrls;
  const env = {
    BROADSIDE_CONTROL_PORT: port,
    BROADSIDE_API_PORT: new URL(api).port,
    BROADSIDE_ADS_PORT: new URL(ads).port,
    BROADSIDE_SANDBOX_PORT: new URL(sandbox).port,
  };
  server = await startOperated(data, { demo: true, env });
  await expect.poll(() => written.stderr, patient).toContain('The server answers again.\n');
  await ok('campaigns list --sandbox');
  await expect.poll(() => operationsIn(written.stdout), patient).toEqual(['accounts.list', 'campaigns.list']);
  expect(written.stderr).not.toContain('begins anew');
  await ok(`world reset ${id}`);
  await expect.poll(() => written.stderr, patient).toMatch(/The journal begins anew at \S+: its world was reset/);
  await ok('accounts list');
  await expect.poll(() => operationsIn(written.stdout).length, patient).toBe(3);
  stop();
  expect((await ended).code).toBe(0);
  await ok('world use default');
});

test('ends without a word when nobody reads any more, and with the reason when its world is deleted', {
  timeout: 60_000,
}, async () => {
  await ok('accounts list');
  const closed = await cli('journal list --follow --quiet', {
    onStdout: () => {
      throw new OutputClosed();
    },
  });
  expect(closed).toMatchObject({ code: 0, stderr: '' });
  const { id } = JSON.parse(await ok('world create --empty --json'));
  const { ended, written } = following(`journal --follow --world-id ${id}`);
  await expect.poll(() => written.stdout, patient).toContain('TIME');
  await ok(`world delete ${id}`);
  expect(await ended).toMatchObject({ code: 4, stderr: expect.stringContaining('WORLD_NOT_FOUND') });
});

test('flags may follow the word of the group, and nothing else', async () => {
  expect(await cli('journal --nothing')).toMatchObject({ code: 2, stderr: expect.stringContaining('--nothing') });
  expect((await cli('journal')).code).toBe(2);
  expect((await cli('journal --help')).stdout).toContain('verify');
  expect(await cli('campaigns --follow')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no flag --follow here'),
  });
});

/** Has a program run in a terminal of 100 columns, sends it ^C when it has written a text, and writes what it has written. */
const IN_A_TERMINAL = `
import os, pty, struct, fcntl, termios, sys
text, words = sys.argv[1].encode(), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(words[0], words)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 100, 0, 0))
written, asked = b'', False
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    written += part
    if text in written and not asked:
        asked = True
        os.write(terminal, b'\\x03')
sys.stdout.buffer.write(written)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Runs a program with the environment of the command. */
function run(program: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(program, words, {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => {
    written.stdout += String(part);
  });
  child.stderr.on('data', (part) => {
    written.stderr += String(part);
  });
  const ended = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  return { child, written, ended };
}

test('is a table in colours in a terminal, which ^C ends, and plain lines in a pipe', async ({ skip }) => {
  const python = await run('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).ended.catch(() => 1);
  if (python !== 0) skip('needs Python 3.9 with pty');
  await ok('accounts list');
  await ok('accounts get nowhere').catch(() => {});
  const words = [process.execPath, ...commandArguments, 'journal', '--follow'];
  const terminal = run('python3', ['-c', IN_A_TERMINAL, 'accounts.get', ...words], { TERM: 'xterm' });
  expect(await terminal.ended, terminal.written.stdout).toBe(0);
  const shown = terminal.written.stdout;
  expect(shown).toContain('\u001b[1mTIME');
  expect(shown).toMatch(/\u001b\[31m\d\d:\d\d:\d\d .*accounts\.get/);
  const lines = shown.replaceAll(/\u001b\[\d+m/g, '').split('\r\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  const [node, ...before] = words;
  const piped = run(node ?? '', before);
  await expect.poll(() => piped.written.stdout, patient).toContain('accounts.get');
  piped.child.kill('SIGINT');
  expect(await piped.ended).toBe(0);
  expect(piped.written.stdout).not.toContain('\u001b');
  expect(piped.written.stderr).toBe('');
});
