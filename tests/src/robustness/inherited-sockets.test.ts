/** Sockets that a service manager opens and holds: it passes them to each process that it starts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '@broadside/server';
import { findServer } from '@broadside/server/place';
import { expect, onTestFinished, test } from 'vitest';
import {
  descriptorOf,
  environmentOfHeir,
  readInherited,
} from '../../../apps/server/src/listening/inherited-sockets.ts';
import { Connection } from '../../../apps/server/src/threads/testing/threaded-server.ts';
import { packageArguments } from '../support/package-arguments.ts';
import { mainArguments, ServerProcess, testSettings } from '../support/server-process.ts';

test('no connection is refused or reset between the end of a server and the next, whose sockets a manager holds', async () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-inherited-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const directory = path.join(scratch, 'data');
  const file = path.join(scratch, 'ports.json');
  const program = path.join(import.meta.dirname, '../support/socket-manager.ts');
  const manager = spawn(process.execPath, [...packageArguments, program, file, ...mainArguments], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], ...testSettings(directory), BROADSIDE_WORKERS: '3' },
  });
  const ready = (other?: number) =>
    expect
      .poll(
        () => {
          const found = findServer(directory);
          return found !== undefined && found.state === 'ready' && found.pid !== other;
        },
        { timeout: 120_000, interval: 100 },
      )
      .toBe(true);
  await ready();
  const ports: readonly number[] = JSON.parse(readFileSync(file, 'utf8'));
  const failures: unknown[] = [];
  let answers = 0;
  let isOver = false;
  const as = { consumerKey: 'a', consumerSecret: 'b', token: 'c', tokenSecret: 'd' };
  const load = Array.from({ length: 6 }, async (_, index) => {
    let client = new Connection(as);
    while (!isOver) {
      try {
        const { status } = await client.send(`http://127.0.0.1:${ports[index % 3]}/health`);
        if (status !== 200) failures.push(status);
        answers += 1;
      } catch (error) {
        failures.push(error);
      }
      if (index < 3) continue;
      client.close();
      client = new Connection(as);
    }
    client.close();
  });
  for (let restart = 0; restart < 2; restart++) {
    const goal = answers + 100;
    await expect.poll(() => answers, { timeout: 60_000 }).toBeGreaterThan(goal);
    const pid = findServer(directory)?.pid ?? 0;
    process.kill(pid, 'SIGTERM');
    await ready(pid);
  }
  const goal = answers + 100;
  await expect.poll(() => answers, { timeout: 60_000 }).toBeGreaterThan(goal);
  isOver = true;
  await Promise.all(load);
  rmSync(file);
  process.kill(findServer(directory)?.pid ?? 0, 'SIGTERM');
  await once(manager, 'exit');
  expect(failures).toEqual([]);
});

test('the variables of the protocol count for the process that they name, and each socket has a name', () => {
  const ids = { pid: 20, ppid: 10 };
  const given = { LISTEN_FDS: '3', LISTEN_FDNAMES: 'ads:api:ads' };
  expect(readInherited({ ...given, LISTEN_PID: '20' }, ids)).toEqual({
    sockets: { api: [4], ads: [3, 5], sandbox: [], control: [] },
    copies: { api: [], ads: [], sandbox: [], control: [] },
    from: 'manager',
  });
  expect(readInherited({ ...given, LISTEN_PID: '21' }, ids)).toBeUndefined();
  expect(readInherited(given, ids)).toBeUndefined();
  const wrong = { LISTEN_FDS: '1', LISTEN_FDNAMES: 'broadside.socket', LISTEN_PID: '20' };
  expect(() => readInherited(wrong, ids)).toThrow(/"broadside\.socket"; FileDescriptorName= must be one of api, ads, /);
});

test('the environment of a successor names its sockets, and counts for the child of this process alone', () => {
  const { env, descriptors } = environmentOfHeir(
    { PATH: '/bin', LISTEN_PID: '10' },
    { api: [17, 21], ads: [18], sandbox: [19], control: [] },
    10,
  );
  // That of the second thread twice: the main thread accepts for it until it listens.
  expect(descriptors).toEqual([17, 21, 18, 19, 21]);
  expect(readInherited(env, { pid: 20, ppid: 10 })).toEqual({
    sockets: { api: [3, 4], ads: [5], sandbox: [6], control: [] },
    copies: { api: [7], ads: [], sandbox: [], control: [] },
    from: 'predecessor',
  });
  expect(readInherited(env, { pid: 20, ppid: 1 })).toBeUndefined();
});

test('a server has a descriptor as long as it listens', async () => {
  const server = createServer();
  expect(descriptorOf(server)).toBeUndefined();
  server.listen(0);
  await once(server, 'listening');
  expect(descriptorOf(server)).toBeGreaterThan(2);
  server.close();
  await once(server, 'close');
  expect(descriptorOf(server)).toBeUndefined();
});

test('a setting of the time to stop is a number of seconds', () => {
  expect(readConfig({ BROADSIDE_DRAIN_SECONDS: '7' }).drain_ms).toBe(7000);
  expect(() => readConfig({ BROADSIDE_STOP_SECONDS: 'soon' })).toThrow(/BROADSIDE_STOP_SECONDS is "soon"/);
});

test('what does not end after SIGTERM is cut off, and said', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-cut-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const server = await ServerProcess.start(directory, { BROADSIDE_STOP_SECONDS: '1', BROADSIDE_LOG_LEVEL: 'warn' });
  const socket = connect(Number(new URL(server.credentials.base_url).port), '127.0.0.1');
  // Its body never ends.
  const head = 'POST /oauth2/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded';
  socket.write(`${head}\r\nexpect: 100-continue\r\ncontent-length: 10\r\n\r\n`);
  socket.on('error', () => {});
  await once(socket, 'data');
  const { code, stdout } = await server.end('SIGTERM');
  expect(code).toBe(0);
  expect(stdout).toMatch(/requests under way were cut off after 1 s \(BROADSIDE_STOP_SECONDS\)/);
});

test('/ready answers 503 while a server drains, and everything else is served', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-drain-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const server = await ServerProcess.start(directory, { BROADSIDE_DRAIN_SECONDS: '15' });
  const { base_url } = server.credentials;
  const ended = server.end('SIGTERM');
  await expect.poll(async () => (await fetch(`${base_url}/ready`)).status).toBe(503);
  const health = await fetch(`${base_url}/health`);
  expect([health.status, health.headers.get('connection')]).toEqual([200, 'close']);
  expect((await ended).code).toBe(0);
});
