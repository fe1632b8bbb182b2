/** A thread of a test that races others for nonces or counts: it does what it is sent, from the same instant as they. */
import { parentPort, workerData } from 'node:worker_threads';
import { type SharedNonceMemory, SharedNonces } from '../shared-nonces.ts';
import { type SharedWindowMemory, SharedWindows } from '../shared-windows.ts';

/** What a racing thread is started with. */
export interface RaceStart {
  readonly thread: number;
  readonly threads: number;
  readonly nonces: SharedNonceMemory;
  readonly windows: SharedWindowMemory;
  /** Word 0 counts threads that have come to a start line. */
  readonly line: SharedArrayBuffer;
}

/** A task for each thread of a race. */
export type RaceTask =
  | { readonly kind: 'claim'; readonly timestamp: number; readonly digests: readonly string[] }
  | {
      readonly kind: 'take';
      readonly key: string;
      readonly times: number;
      readonly nows: readonly number[];
      readonly window_ms: number;
    };

const { thread, threads, nonces, windows, line }: RaceStart = workerData;
const sharedNonces = new SharedNonces(nonces);
const sharedWindows = new SharedWindows(windows, thread);
const started = new Int32Array(line);
let round = 0;

parentPort?.on('message', (task: RaceTask) => {
  round++;
  Atomics.add(started, 0, 1);
  while (Atomics.load(started, 0) < round * threads) {
    // All begin at the same instant.
  }
  parentPort?.postMessage(run(task));
});

function run(task: RaceTask): unknown {
  if (task.kind === 'claim') return task.digests.map((digest) => sharedNonces.claim(task.timestamp, digest));
  const counted = [];
  for (let i = 0; i < task.times; i++) {
    const now = task.nows[Math.floor((i * task.nows.length) / task.times)] ?? 0;
    counted.push(sharedWindows.take(task.key, task.window_ms, now));
  }
  return counted;
}
