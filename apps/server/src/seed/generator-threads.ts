/**
 * Generates people and posts of new worlds in threads: planning them takes seconds of computing, and writing them is one long
 * transaction after the other. One world at a time, since each plan is large.
 */
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import type { WorldOptions } from '../world/world-options.ts';
import type { GeneratorParameters } from './plan.ts';

/** What is to be generated. */
export interface Generating {
  /** The directory of the world. */
  readonly directory: string;
  /** The way in which the world is opened. */
  readonly options: Pick<WorldOptions, 'credentialPrefix' | 'seed'>;
  readonly parameters: GeneratorParameters;
}

/** What a thread is told. */
export interface GeneratorStart extends Generating {
  /** One number, which it sets to 1 once all is written. A thread that is ended while it starts gives the same exit code as one that has ended. */
  readonly whole: Int32Array;
}

/** The server ends before a world was generated. */
export class GeneratorStoppedError extends Error {
  override readonly name = 'GeneratorStoppedError';
}

export class GeneratorThreads {
  #last: Promise<unknown> = Promise.resolve();
  #running: Worker | undefined;
  #stopped = false;

  /**
   * Generates into a directory that nobody has open, after what was asked for before.
   * @throws GeneratorStoppedError, and whatever ends the thread
   */
  run(generating: Generating): Promise<void> {
    const done = this.#last.then(() => this.#generate(generating));
    this.#last = done.catch(() => {});
    return done;
  }

  /** Ends what runs and what waits, and all that would begin later. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.terminate();
    await this.#last;
  }

  #generate(generating: Generating): Promise<void> {
    if (this.#stopped) return Promise.reject(new GeneratorStoppedError());
    const source = new URL('./generator-main.ts', import.meta.url);
    const { url, execArgv } = threadFile(source, 'dist/seed/generator-main.js');
    const whole = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData: GeneratorStart = { ...generating, whole };
    const worker = new Worker(url, { workerData, execArgv, name: 'generator' });
    this.#running = worker;
    return new Promise<void>((resolve, reject) => {
      let failure: unknown;
      worker.on('error', (error) => {
        failure = error;
      });
      worker.on('exit', (code) => {
        this.#running = undefined;
        if (Atomics.load(whole, 0) === 1) resolve();
        else if (failure !== undefined) reject(failure);
        else reject(this.#stopped ? new GeneratorStoppedError() : new Error(`the generator ended with ${code}`));
      });
    });
  }
}
