/** The soak is code like any other: a short run against the built server, and one against a server that leaks. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect, press } from '../../bench/soak-load.ts';
import { packageArguments } from '../support/package-arguments.ts';

const root = path.resolve(import.meta.dirname, '../../..');

function soak(...args: readonly string[]) {
  // As few windows as a trend can be told from: collections of garbage, two for each, take most of the time.
  const short = ['--minutes', '0.03', '--windows', '10', '--posts', '1000', '--connections', '4'];
  const command = [...packageArguments, 'tests/bench/soak.ts', ...short, ...args];
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  // Nothing but its progress.
  expect(stderr).toMatch(/^(?:\d+ of \d+ windows: .*\n)*$/);
  return { stdout, status };
}

test('a soak reads and writes without an error, and finds the heap of the server level', () => {
  const { stdout, status } = soak('--json');
  const report: {
    all: { requests: number; writes: number; failures: number; p50_ms: number };
    rows: unknown[];
    seeded_per_second: number;
    heap: { grew: boolean; last: number };
    rss: { last: number };
    faults: string[];
  } = JSON.parse(stdout);
  expect(report.all.failures).toBe(0);
  expect(report.all.requests).toBeGreaterThan(0);
  expect(report.all.writes).toBeGreaterThan(0);
  expect(report.all.p50_ms).toBeGreaterThan(0);
  expect(report.rows).toHaveLength(1);
  expect(report.seeded_per_second).toBeGreaterThan(0);
  expect(report.heap.grew).toBe(false);
  expect(report.rss.last).toBeGreaterThan(report.heap.last);
  // A busy machine may be slow, and a young process takes its memory in steps.
  expect(report.faults.filter((fault) => !/^(p99|rss)/.test(fault))).toEqual([]);
  expect(status).toBe(report.faults.length === 0 ? 0 : 1);
});

test('a server that leaks fails the soak', () => {
  const { stdout, status } = soak('--minutes', '0.02', '--server', 'tests/bench/soak-leaking-server.ts');
  expect(stdout).toMatch(/^soak failed: .*heap grew by/m);
  expect(status).toBe(1);
});

/** Loads a server that always gives this response. @returns the errors found */
async function pressed(status: number, body: unknown): Promise<readonly string[]> {
  const server = createServer((_, response) => {
    const text = JSON.stringify(body);
    response.writeHead(status, { 'content-length': Buffer.byteLength(text) }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const address = server.address();
  const askers = await connect(typeof address === 'object' && address ? address.port : 0, 2);
  const request = Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  let asked = 0;
  const next = () => {
    asked++;
    return Promise.resolve(request);
  };
  const { latencies, failures } = await press(askers, next, performance.now() + 200);
  for (const asker of askers) asker.close();
  expect(latencies).toHaveLength(asked);
  return failures;
}

test('every answer that is not 200 is a failure', async () => {
  const failures = await pressed(503, {});
  expect(failures.length).toBeGreaterThan(0);
  expect(failures[0]).toMatch(/^HTTP\/1.1 503/);
});

test('answers that lack posts are found out', async () => {
  const data = Array.from({ length: 100 }, () => ({}));
  expect(await pressed(200, { data })).toEqual([]);
  expect((await pressed(200, { data: data.slice(1) })).length).toBeGreaterThan(0);
  expect((await pressed(200, { data, errors: [{ title: 'Not Found' }] })).length).toBeGreaterThan(0);
});

test('a connection that the server ends is an error, not silence', async () => {
  const server = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const [asker] = await connect(typeof address === 'object' && address ? address.port : 0, 1);
  const request = Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await expect(asker?.ask(request)).rejects.toThrow();
  await expect(asker?.ask(request)).rejects.toThrow();
});
