/** A thread of a test that races others for nonces or counts: it does what it is sent, from the same instant as they. */
import { parentPort, workerData } from 'node:worker_threads';
import { whenLogged } from '../../auth/nonce-turn.ts';
import { NonceGrant } from '../nonce-grant.ts';
import { ReaderNonces } from '../reader-nonces.ts';
import { type SharedNonceMemory, SharedNonces } from '../shared-nonces.ts';
import { type SharedWindowMemory, SharedWindows } from '../shared-windows.ts';

/** The options of a racing thread. */
export interface RaceStart {
  readonly thread: number;
  readonly threads: number;
  readonly nonces: SharedNonceMemory;
  readonly windows: SharedWindowMemory;
  /** Word 0 counts threads that have come to a start line. */
  readonly line: SharedArrayBuffer;
  /** The directory of the nonces, and the grant. */
  readonly log?: { readonly directory: string; readonly grant: SharedArrayBuffer };
}

/** A task for each thread of a race. */
export type RaceTask =
  | { readonly kind: 'accept'; readonly timestamp: number; readonly nonces: readonly string[] }
  | { readonly kind: 'claim'; readonly timestamp: number; readonly digests: readonly string[] }
  | {
      readonly kind: 'take';
      readonly key: string;
      readonly times: number;
      readonly nows: readonly number[];
      readonly window_ms: number;
    };

const { thread, threads, nonces, windows, line, log }: RaceStart = workerData;
const sharedNonces = new SharedNonces(nonces);
const sharedWindows = new SharedWindows(windows, thread);
const started = new Int32Array(line);
const readerNonces =
  log &&
  new ReaderNonces({
    directory: log.directory,
    shared: sharedNonces,
    grant: new NonceGrant(log.grant),
    report: (written) => parentPort?.postMessage({ written }),
  });
let round = 0;

parentPort?.on('message', async (task: RaceTask) => {
  round++;
  Atomics.add(started, 0, 1);
  while (Atomics.load(started, 0) < round * threads) {
    // All begin at the same instant.
  }
  parentPort?.postMessage({ result: task.kind === 'accept' ? await accept(task) : run(task) });
  readerNonces?.flush();
});

/** Uses nonces up, some in each turn of the event loop. */
async function accept(task: Extract<RaceTask, { kind: 'accept' }>): Promise<(boolean | 'main')[]> {
  const outcomes: (boolean | 'main')[] = [];
  for (let i = 0; i < task.nonces.length; i += 20) {
    const part = task.nonces.slice(i, i + 20).map(async (nonce) => {
      try {
        return await whenLogged(readerNonces?.accept({ consumerKey: 'k', token: 't' }, task.timestamp, nonce) ?? false);
      } catch {
        return 'main' as const;
      }
    });
    outcomes.push(...(await Promise.all(part)));
  }
  return outcomes;
}

function run(task: Exclude<RaceTask, { kind: 'accept' }>): unknown {
  if (task.kind === 'claim') return task.digests.map((digest) => sharedNonces.claim(task.timestamp, digest));
  const counted = [];
  for (let i = 0; i < task.times; i++) {
    const now = task.nows[Math.floor((i * task.nows.length) / task.times)] ?? 0;
    counted.push(sharedWindows.take(task.key, task.window_ms, now, now));
  }
  return counted;
}
