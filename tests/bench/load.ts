/**
 * A load generator with little overhead: raw keep-alive connections, requests signed and written out beforehand, answers
 * read by their Content-Length. One request at a time on each connection.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Results of a run. Times in milliseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Answers whose status was not 200, with one of their bodies. */
  readonly failures: number;
  readonly failure: string | undefined;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i;

let sharesCores = false;

/** From now on the generator sleeps while it waits, since otherwise it would take the time from servers on its core. */
export function shareCores(): void {
  sharesCores = true;
}

export interface LoadOptions {
  /** Is told of each response. */
  readonly seen?: (answer: string) => void;
  /** True where the server uses the core of the generator, too. */
  readonly isCoreShared?: boolean | undefined;
}

/** Sends all requests over a number of connections, each as soon as the one before has a response. */
export async function load(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  { seen, isCoreShared = sharesCores }: LoadOptions = {},
): Promise<LoadResult> {
  const latencies: number[] = [];
  let next = 0;
  let failures = 0;
  let failure: string | undefined;
  // With a core of its own the generator never sleeps: waking a sleeping process costs the one that writes to it, and that would be the server.
  let spinning = !isCoreShared;
  const spin = () => {
    if (spinning) setImmediate(spin);
  };
  spin();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await open(port);
      const read = reader(socket);
      for (let request = requests[next++]; request; request = requests[next++]) {
        const sent = performance.now();
        socket.write(request);
        const answer = await read();
        latencies.push(performance.now() - sent);
        seen?.(answer);
        if (!answer.startsWith('HTTP/1.1 200')) {
          failures++;
          failure ??= answer.slice(0, 600);
        }
      }
      socket.destroy();
    }),
  );
  spinning = false;
  const seconds = (performance.now() - began) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    requests: latencies.length,
    per_second: latencies.length / seconds,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    failures,
    failure,
  };
}

/** One response, headers and body, as text. */
export async function once(port: number, request: Buffer): Promise<string> {
  const socket = await open(port);
  const answer = reader(socket)();
  socket.write(request);
  const text = await answer;
  socket.destroy();
  return text;
}

/** Waits until a server answers. @throws Error with its name when it does not within half a minute */
export async function answers(port: number, name: string): Promise<void> {
  const probe = Buffer.from(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
  for (let attempt = 0; attempt < 300; attempt++) {
    if (await once(port, probe).then(Boolean, () => false)) return;
    await sleep(100);
  }
  throw new Error(`${name} did not start`);
}

/** Returns the body of a response. */
export function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}

/** A connection that stays open from request to request. */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** The length of a response, headers and body; `undefined` before all headers are there. */
function lengthOf(begin: Buffer): number | undefined {
  const end = begin.indexOf(HEADER_END);
  if (end === -1) return undefined;
  return end + HEADER_END.length + Number(CONTENT_LENGTH.exec(begin.toString('latin1', 0, end))?.[1] ?? 0);
}

/** Reads whole responses, one for each call. */
export function reader(socket: Socket): () => Promise<string> {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted: number | undefined;
  let done: ((answer: string) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  socket.on('data', (chunk: Buffer) => {
    const isFirst = held === 0;
    // Most responses come in one piece, which is read where it is.
    const begin = isFirst || wanted !== undefined ? chunk : Buffer.concat([...chunks, chunk]);
    chunks = isFirst || wanted === undefined ? [begin] : [...chunks, chunk];
    held += chunk.length;
    wanted ??= lengthOf(begin);
    if (wanted === undefined || held < wanted) return;
    const answer = chunks.length === 1 ? begin : Buffer.concat(chunks);
    chunks = [];
    held = 0;
    wanted = undefined;
    done?.(answer.toString('utf8'));
  });
  socket.on('close', () => failed?.(new Error('the server closed the connection')));
  socket.on('error', (error) => failed?.(error));
  return () =>
    new Promise((resolve, reject) => {
      done = resolve;
      failed = reject;
    });
}
