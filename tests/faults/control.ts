/** The faults of a process under test, set from outside: see `shim.c`. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Kinds of faults, as bits. */
export const faults = { writeError: 1, noSpace: 2, shortWrite: 4, syncError: 8, lostSync: 16 } as const;

/** Returns whether the shim can be compiled and loaded here. */
export function canInject(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('gcc', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The compiled shim, and the page that it shares with this process. */
export class FaultControl {
  readonly #shim: string;
  readonly #page: string;
  readonly #file: number;

  /** @param scratch a directory for the library and the page, outside the one whose files fail */
  constructor(scratch: string, seed: number) {
    this.#shim = path.join(scratch, 'shim.so');
    this.#page = path.join(scratch, 'control');
    const source = path.join(import.meta.dirname, 'shim.c');
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-Wall', '-o', this.#shim, source, '-ldl']);
    this.#file = openSync(this.#page, 'w+');
    writeSync(this.#file, new Uint8Array(new Uint32Array([0, 0, seed, 0]).buffer));
  }

  /** The environment of a process whose files below a directory can fail. */
  environment(directory: string): Record<string, string> {
    return { LD_PRELOAD: this.#shim, FAULTS_CONTROL: this.#page, FAULTS_DIRECTORY: directory };
  }

  /**
   * The environment of a process whose writes are traced, from which {@link FileTrace} makes what a loss of power leaves.
   * @param lost a part of the paths of files whose syncs are not done while `lostSync` is set
   */
  tracing(directory: string, trace: string, boot: string, lost = ''): Record<string, string> {
    return { ...this.environment(directory), FAULTS_TRACE: trace, FAULTS_BOOT: boot, FAULTS_LOST: lost };
  }

  /** Lets calls fail from now on. @param kinds bits of {@link faults} @param perMille how many calls in a thousand */
  set(kinds: number, perMille: number): void {
    writeSync(this.#file, new Uint8Array(new Uint32Array([kinds, perMille]).buffer), 0, 8, 0);
  }

  /** The number of calls that have failed. */
  get injected(): number {
    const words = new Uint32Array(4);
    readSync(this.#file, words, 0, 16, 0);
    return words[3] ?? 0;
  }

  close(): void {
    closeSync(this.#file);
  }
}
