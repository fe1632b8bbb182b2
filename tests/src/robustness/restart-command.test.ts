/** `broadside restart` on a server that is a process of its own, with TLS and several threads. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { findServer, processMark } from '@broadside/server/place';
import Sqlite from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../../apps/cli/src/testing/run-cli.ts';
import { TestAuthority } from '../support/certificates.ts';
import { ServerProcess } from '../support/server-process.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-restart-command-'));
const data = path.join(directory, 'data');
const WORKERS = 2;
/** While it holds `end`, a successor ends once it has said that it can take over; while it holds `wait`, threads do not begin. */
const orders = path.join(directory, 'orders');
const obeying = `
  import { readFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  const order = () => { try { return readFileSync(${JSON.stringify(orders)}, 'utf8'); } catch { return ''; } };
  while (!isMainThread && order() === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  if (isMainThread && process.env.LISTEN_PPID === String(process.ppid) && order() === 'end') {
    const send = process.send.bind(process);
    process.send = (message) => send(message, undefined, undefined, () => process.exit(9));
  }`;
let authority: TestAuthority;
let server: ServerProcess;

beforeAll(async () => {
  authority = await TestAuthority.create();
  const { cert, key } = await authority.pair('server');
  server = await ServerProcess.start(data, {
    BROADSIDE_WORKERS: `${WORKERS}`,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(obeying)}`,
    BROADSIDE_TLS_CERT: cert,
    BROADSIDE_TLS_KEY: key,
  });
});
afterAll(async () => {
  const last = findServer(data);
  if (last?.pid !== undefined) process.kill(last.pid, 'SIGTERM');
  await server.ended;
  authority.remove();
  rmSync(directory, { recursive: true, force: true });
});

const restart = (dataDirectory = data) => runCli(['restart', '--data-dir', dataDirectory, '--timeout', '600']);

/** Sends a request over a connection of its own. @returns the status of the answer */
function statusAt(url: string): Promise<string> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false });
    socket.once('error', reject);
    socket.once('secureConnect', () =>
      socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
    );
    socket.once('data', (bytes) => {
      resolve(`${bytes}`.slice(9, 12));
      socket.destroy();
    });
  });
}

test('another process takes the place of a server with TLS and several threads, at the same addresses, before its threads listen', async () => {
  const before = findServer(data);
  const url = `${before?.local_urls?.sandbox}`;
  expect(url).toMatch(/^https:/);
  // Its own threads are not to wait.
  expect(await runCli(['wait', '--data-dir', data, '--timeout', '300'])).toMatchObject({ code: 0 });
  writeFileSync(orders, 'wait');
  const restarted = restart();
  await expect
    .poll(
      () => {
        const now = findServer(data);
        return now !== undefined && now.state === 'ready' && now.pid !== before?.pid;
      },
      { timeout: 300_000, interval: 50 },
    )
    .toBe(true);
  // Connections are spread over the sockets of all threads. The main thread answers for those that do not listen yet.
  const ask = () => Promise.all(Array.from({ length: 24 }, () => statusAt(url)));
  const statuses = await ask();
  expect(statuses).toEqual(statuses.map(() => '200'));
  rmSync(orders);
  // The command waits for the threads.
  expect(await restarted).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`has taken the place of ${before?.pid}`),
  });
  expect(findServer(data)).toMatchObject({ state: 'ready', local_urls: before?.local_urls });
  expect(await ask()).toEqual(statuses);
});

test('a server serves again where the process that is to follow ends before it serves', async () => {
  const before = findServer(data);
  writeFileSync(orders, 'end');
  expect(await restart()).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/goes on: the new process did not start\n.*ended with 9 before it served/),
  });
  rmSync(orders);
  expect(findServer(data)).toMatchObject({ pid: before?.pid, state: 'ready', local_urls: before?.local_urls });
  const statuses = await Promise.all(Array.from({ length: 12 }, () => statusAt(`${before?.local_urls?.sandbox}`)));
  expect(statuses).toEqual(statuses.map(() => '200'));
});

test('a server goes on where the program that is to follow cannot open its stores', async () => {
  const before = findServer(data);
  const change = (sql: string) => {
    const database = new Sqlite(path.join(data, 'ads-sandbox.db'));
    database.exec(sql);
    database.close();
  };
  change(`INSERT INTO "__migrations" VALUES ('9999_later', 'x', 0)`);
  try {
    expect(await restart()).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/goes on: the new process did not start/),
    });
    expect(findServer(data)).toMatchObject({ pid: before?.pid, state: 'ready' });
    expect(await statusAt(`${before?.local_urls?.sandbox}`)).toBe('200');
  } finally {
    change(`DELETE FROM "__migrations" WHERE "tag" = '9999_later'`);
  }
});

test('what cannot be restarted is said, and nothing is signalled', async () => {
  const nowhere = path.join(directory, 'nowhere');
  expect(await restart(nowhere)).toMatchObject({ code: 5, stderr: expect.stringContaining('No server runs on') });
  mkdirSync(nowhere);
  const own = {
    pid: process.pid,
    process: processMark(process.pid),
    machine: hostname(),
    version: '0',
    started_at: '',
  };
  const urls = { api: '', ads: '', sandbox: '' };
  const cases = [
    [{ state: 'starting' }, 6, 'is starting'],
    [{ state: 'ready', urls, local_urls: urls }, 1, 'is watched by systemd or a container'],
    [{ state: 'ready', process: 'x', machine: 'elsewhere', urls, local_urls: urls }, 1, 'another machine'],
  ] as const;
  let signals = 0;
  const count = () => {
    signals += 1;
  };
  process.on('SIGUSR2', count);
  for (const [facts, code, said] of cases) {
    writeFileSync(path.join(nowhere, 'server.json'), JSON.stringify({ ...own, ...facts }));
    expect(await restart(nowhere)).toMatchObject({ code, stderr: expect.stringContaining(said) });
  }
  process.off('SIGUSR2', count);
  expect(signals).toBe(0);
});
