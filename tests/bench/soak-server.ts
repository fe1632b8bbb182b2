/** The server under a soak: a process of its own, with Node's inspector open, by which its memory is read from inside. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Credentials } from '@broadside/server';
import * as z from 'zod';
import { Processes } from './processes.ts';

/** Memory use that the process reports, in bytes. */
export interface Memory {
  /** Memory of JavaScript, including buffers outside of the heap. */
  readonly heap: number;
  readonly rss: number;
}

const Usage = z.object({
  result: z.object({ value: z.object({ rss: z.number(), heapUsed: z.number(), external: z.number() }) }),
});
const Reply = z.object({
  id: z.number(),
  result: z.unknown(),
  error: z.object({ message: z.string() }).optional(),
});

/** A running server. */
export class SoakServer {
  readonly #processes: Processes;
  readonly #child: ChildProcess;
  readonly #inspector: Inspector;
  readonly #directory: string;

  private constructor(processes: Processes, child: ChildProcess, inspector: Inspector, directory: string) {
    this.#processes = processes;
    this.#child = child;
    this.#inspector = inspector;
    this.#directory = directory;
  }

  /** Starts a main file on a data directory. @throws Error with what it said when it does not start */
  static async start(main: string, directory: string): Promise<SoakServer> {
    const processes = new Processes();
    try {
      const { child, greeting } = await processes.startServer(main, directory, ['--inspect=127.0.0.1:0']);
      const address = /Debugger listening on (ws:\S+)/.exec(greeting)?.[1] ?? '';
      return new SoakServer(processes, child, await Inspector.open(address), directory);
    } catch (error) {
      processes.kill();
      throw error;
    }
  }

  /** Credentials that the server wrote for its clients: keys, tokens and its present addresses. */
  get credentials(): Credentials {
    const credentials: Credentials = JSON.parse(readFileSync(path.join(this.#directory, 'credentials.json'), 'utf8'));
    return credentials;
  }

  get operatorToken(): string {
    return readFileSync(path.join(this.#directory, 'operator.token'), 'utf8').trim();
  }

  /** Memory as it is now. */
  async memory(): Promise<Memory> {
    const reply = await this.#inspector.ask('Runtime.evaluate', {
      expression: 'process.memoryUsage()',
      returnByValue: true,
    });
    const { rss, heapUsed, external } = Usage.parse(reply).result.value;
    return { rss, heap: heapUsed + external };
  }

  /** Memory after all garbage was collected. */
  async memoryAfterCollection(): Promise<Memory> {
    // Objects with a finaliser are freed by the second collection.
    for (let i = 0; i < 2; i++) await this.#inspector.ask('HeapProfiler.collectGarbage');
    return this.memory();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  kill(): void {
    this.#inspector.close();
    this.#processes.kill();
  }
}

/**
 * For how long the main thread of a process was ready to run and had no processor, in milliseconds since it began: what
 * other processes on the machine cost it. 0 where the kernel does not report it.
 */
export function starvedMs(pid: number | 'self' | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Asks Node's inspector, by its protocol over a WebSocket. */
class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = Reply.parse(JSON.parse(String(data)));
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result);
    });
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the server has ended'));
    });
  }

  static open(address: string): Promise<Inspector> {
    const socket = new WebSocket(address);
    return new Promise((resolve, reject) => {
      socket.addEventListener('open', () => resolve(new Inspector(socket)), { once: true });
      socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)), { once: true });
    });
  }

  ask(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  close(): void {
    this.#socket.close();
  }
}
