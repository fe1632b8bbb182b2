/** A log that cannot be written: the server serves, says what was lost, and ends when it is told to. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { canMount, SmallDisk } from '../support/small-disk.ts';

const directories: string[] = [];
const disks: SmallDisk[] = [];
const running: ServerProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.end('SIGKILL')));
  for (const disk of disks.splice(0)) disk.remove();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function temporary(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-logging-'));
  directories.push(directory);
  return directory;
}

async function start(stdout: 'read' | 'unread' | number): Promise<ServerProcess> {
  const env = { BROADSIDE_LOG_LEVEL: 'info', BROADSIDE_LOG_FORMAT: 'json' };
  const server = await ServerProcess.start(temporary(), env, stdout);
  running.push(server);
  return server;
}

/** Makes the server log requests; their paths are as long as an address may be. */
async function load(server: ServerProcess, requests: number): Promise<void> {
  const url = `${server.credentials.ads_base_url}/${'x'.repeat(8000)}`;
  for (let done = 0; done < requests; done += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(url).then((answer) => answer.status)));
    expect(new Set(answers)).toEqual(new Set([404]));
  }
}

async function ready(server: ServerProcess): Promise<{ status: number; notices: string }> {
  const answer = await fetch(`${server.credentials.ads_base_url}/ready`);
  const body: { notices?: string[] } = JSON.parse(await answer.text());
  return { status: answer.status, notices: (body.notices ?? []).join(' ') };
}

async function stops(server: ServerProcess): Promise<void> {
  const { code, stderr } = await server.end('SIGTERM');
  expect(stderr).not.toContain('Error');
  expect(code).toBe(0);
}

test.runIf(process.platform === 'linux')('a device that is full for good', async () => {
  const full = openSync('/dev/full', 'w');
  const server = await start(full);
  closeSync(full);
  await load(server, 160);
  await expect
    .poll(() => ready(server))
    .toMatchObject({ status: 200, notices: expect.stringMatching(/\d+ lines of the log were lost.*ENOSPC/s) });
  await stops(server);
});

test.runIf(canMount())('a disk that is full, and has space again', async () => {
  const disk = new SmallDisk('256k');
  disks.push(disk);
  disk.fill(128 * 1024);
  const file = openSync(path.join(disk.directory, 'log'), 'a');
  const server = await start(file);
  closeSync(file);
  await load(server, 180);
  expect((await ready(server)).notices).toContain('ENOSPC');
  disk.empty();
  // What waits does not fit either; most of it was dropped.
  const log = () => readFileSync(path.join(disk.directory, 'log'), 'utf8');
  disk.resize('16m');
  await expect.poll(log).toContain('log lines were lost');
  await load(server, 20);
  expect((await ready(server)).notices).not.toContain('ENOSPC');
  await stops(server);
  const records: { msg: string; lost?: number }[] = log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const requests = records.filter(({ msg }) => msg === 'request').length;
  const lost = records.reduce((sum, record) => sum + (record.lost ?? 0), 0);
  // Every line is there or was counted: 200 that were not found, and the reports of readiness.
  expect(requests + lost).toBe(200 + 2);
});

test('a reader that reads nothing for a while, and then goes on', async () => {
  const server = await start('unread');
  await load(server, 180);
  expect(await ready(server)).toMatchObject({
    status: 200,
    notices: expect.stringMatching(/lines of the log were lost/),
  });
  server.readStdout();
  await expect.poll(() => server.stdout).toContain('log lines were lost');
  await stops(server);
  const { stdout } = await server.ended;
  const lost = stdout.split('\n').filter((line) => line.includes('log lines were lost'));
  const counted = lost.reduce((sum, line) => sum + Number(/"lost":(\d+)/.exec(line)?.[1]), 0);
  expect(stdout.split('\n').filter((line) => line.includes('"msg":"request"')).length + counted).toBe(181);
});

test('a reader that never reads', async () => {
  const server = await start('unread');
  await load(server, 40);
  await stops(server);
});

test('a reader that is gone', async () => {
  const server = await start('unread');
  server.closeStdout();
  await load(server, 20);
  await expect.poll(() => ready(server)).toMatchObject({ status: 200, notices: expect.stringContaining('EPIPE') });
  await stops(server);
});
