/**
 * `node --conditions=@broadside/source tests/bench/held-bodies.ts [--connections 150] [--seconds 150]`: clients without credentials that
 * send half a body of 5 MB to the built server and hold it. Reports the memory of the server before, at its peak and afterwards,
 * and that others were served meanwhile. Exits with 1 where the memory grew by more than a limit, or others were not served.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { once } from './load.ts';
import { Processes, stop } from './processes.ts';
import { type Credentials, wire } from './wire.ts';

const values = readOptions({
  options: {
    connections: { type: 'string', default: '150' },
    seconds: { type: 'string', default: '150' },
    server: { type: 'string', default: path.resolve(import.meta.dirname, '../../apps/server/dist/main.js') },
  },
});
const BODY = 5_000_000;
/** The memory that the bodies may take in all by the settings, and as much again for what is freed late. */
const MOST_MB = 2 * 128;

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-held-'));
const processes = new Processes();
const sockets: Socket[] = [];
try {
  const { child } = await processes.startServer(values.server, directory);
  const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  const { hostname, port } = new URL(held.ads_base_url);
  const rss = () =>
    Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
  const get = async () => {
    const began = performance.now();
    const answer = await once(Number(port), await wire(held, { method: 'GET', target: '/12/accounts' }));
    return { isServed: answer.startsWith('HTTP/1.1 200'), ms: performance.now() - began };
  };
  for (let i = 0; i < 20; i++) await get();
  const before = rss();
  const answers = new Map<string, number>();
  // A third each: without anything, with an invented signature, and with a form, which could contain one.
  const kinds = ['', 'authorization: OAuth oauth_consumer_key="a"\r\n', 'form'] as const;
  const half = Buffer.alloc(BODY / 2, 'a');
  for (let i = 0; i < Number(values.connections); i++) {
    const kind = kinds[i % kinds.length] ?? '';
    const type = kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', (chunk: Buffer) => {
      const status = chunk.toString('latin1', 9, 12);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    });
    const head = `POST /12/batch/accounts/a/campaigns HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: ${type}\r\ncontent-length: ${BODY}\r\n`;
    socket.write(`${head}${kind === 'form' ? '' : kind}\r\n`);
    socket.write(half);
  }
  let peak = before;
  const times: number[] = [];
  let failed = 0;
  const until = performance.now() + Number(values.seconds) * 1000;
  while (performance.now() < until) {
    const { isServed, ms } = await get();
    if (!isServed) failed += 1;
    times.push(ms);
    peak = Math.max(peak, rss());
    await wait(100);
  }
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  for (const socket of sockets) socket.destroy();
  await wait(5000);
  const after = rss();
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(0);
  const mb = (value: number) => `${value.toFixed(0)} MB`;
  process.stdout.write(
    [
      `${values.connections} connections with half of ${BODY} bytes, ${values.seconds} s`,
      `memory: ${mb(before)} before, ${mb(peak)} at its peak, ${mb(after)} five seconds after`,
      `answers: ${[...answers].map(([status, count]) => `${count} x ${status}`).join(', ') || 'none'}; still open at the end: ${open}`,
      `others: ${times.length} requests, ${failed} not served, median ${at(0.5)} ms, 99 percent ${at(0.99)} ms`,
      '',
    ].join('\n'),
  );
  if (failed > 0 || peak - before > MOST_MB) process.exitCode = 1;
  await stop(child);
} finally {
  for (const socket of sockets) socket.destroy();
  processes.kill();
  rmSync(directory, { recursive: true, force: true });
}
