/** Threads that race for shared memory. */
import { Worker } from 'node:worker_threads';
import type { WrittenNonces } from '../../auth/nonce-sharing.ts';
import { SharedNonces } from '../shared-nonces.ts';
import { SharedWindows } from '../shared-windows.ts';
import type { RaceStart, RaceTask } from './race-thread.ts';

export interface RaceOptions {
  readonly levels?: number;
  readonly log?: RaceStart['log'];
  readonly onWritten?: (written: WrittenNonces) => void;
}

interface FromRacer<Result> {
  readonly written?: WrittenNonces;
  readonly result?: Result;
}

export class Race {
  readonly nonces: SharedNonces;
  readonly windows: SharedWindows;
  readonly #workers: readonly Worker[];

  constructor(threads: number, { levels, log, onWritten = () => {} }: RaceOptions = {}) {
    this.nonces = SharedNonces.create(7, levels);
    this.windows = SharedWindows.create();
    const line = new SharedArrayBuffer(4);
    this.#workers = Array.from({ length: threads }, (_, thread) => {
      const workerData: RaceStart = {
        thread: thread + 1,
        threads,
        nonces: this.nonces.memory,
        windows: this.windows.memory,
        line,
        ...(log ? { log } : {}),
      };
      const worker = new Worker(new URL('./race-thread.ts', import.meta.url), {
        workerData,
        execArgv: ['--conditions=@broadside/source'],
      });
      worker.on('message', ({ written }: FromRacer<unknown>) => written && onWritten(written));
      return worker;
    });
  }

  /** Has each thread do a task, all from the same instant. @returns what each gave */
  run<Result>(tasks: (thread: number) => RaceTask): Promise<Result[]> {
    return Promise.all(
      this.#workers.map(
        (worker, thread) =>
          new Promise<Result>((resolve, reject) => {
            const settle = ({ result }: FromRacer<Result>) => {
              if (result === undefined) return;
              worker.off('message', settle).off('error', reject);
              resolve(result);
            };
            worker.on('message', settle).on('error', reject);
            worker.postMessage(tasks(thread));
          }),
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
