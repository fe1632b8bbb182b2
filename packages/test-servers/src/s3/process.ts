/** The S3-compatible store as a process of its own, which can be killed and stopped. Its objects are on disk; unfinished uploads are not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Child } from '../child.ts';
import type { S3ServerOptions } from './server.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');

/** A process on a port of its own, which is the same after each start. */
export class S3Process extends Child {
  readonly #options: S3ServerOptions;
  #port = 0;

  private constructor(options: S3ServerOptions) {
    super();
    this.#options = options;
  }

  /** Starts one. */
  static async start(options: S3ServerOptions & { readonly directory: string }): Promise<S3Process> {
    const server = new S3Process(options);
    await server.restart();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts it with the objects that it had. Resolves when it serves. @throws Error where its port is taken */
  async restart(): Promise<void> {
    await this.kill();
    const options = JSON.stringify({ ...this.#options, port: this.#port });
    const child = spawn(process.execPath, [MAIN, options], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.process = child;
    const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    const port = Number(String(said).trim());
    if (child.exitCode !== null || !(port > 0)) throw new Error('the object store did not start');
    this.#port = port;
  }
}
