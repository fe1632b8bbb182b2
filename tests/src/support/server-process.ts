/**
 * The server as a process of its own: from the build in CI, as `npm start` starts it, and where `TESTED_SERVER` is `build`; otherwise
 * from the sources, which are never out of date and take seconds longer for each start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Credentials } from '@broadside/server';
import { packageArguments, usesBuild } from './package-arguments.ts';

const SERVER = path.resolve(import.meta.dirname, '../../../apps/server');
/** The arguments by which Node runs a server. */
export const mainArguments = [...packageArguments, path.join(SERVER, usesBuild ? 'dist/main.js' : 'src/main.ts')];

/**
 * The setting by which a server listens on an address of this machine that no other process uses, where there are such addresses. One that
 * starts again on the ports that it had needs it: on the usual address any process may have been given them meanwhile.
 */
export const ownAddress: Readonly<Record<'BROADSIDE_HOST', string>> = {
  BROADSIDE_HOST:
    process.platform === 'linux'
      ? `127.${64 + ((process.pid >> 16) & 63)}.${(process.pid >> 8) & 255}.${process.pid & 255}`
      : '127.0.0.1',
};

/** The settings of a server under test: any free ports, nothing on stdout, as many requests as the test likes. */
export function testSettings(directory: string): Readonly<Record<`BROADSIDE_${string}`, string>> {
  return {
    BROADSIDE_API_PORT: '0',
    BROADSIDE_ADS_PORT: '0',
    BROADSIDE_SANDBOX_PORT: '0',
    BROADSIDE_DATA_DIR: directory,
    // Each further thread parses the sources again; the tests of threads ask for some.
    BROADSIDE_WORKERS: '1',
    BROADSIDE_LOG_LEVEL: 'silent',
    BROADSIDE_RATE_LIMITS: 'off',
  };
}

/** Outcome of a process that has ended. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stderr: string;
  /** The log. */
  readonly stdout: string;
}

/** A server process. */
export class ServerProcess {
  static readonly #running = new Set<ServerProcess>();

  readonly directory: string;
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  #stderr = '';
  #stdout = '';

  private constructor(directory: string, child: ChildProcess) {
    this.directory = directory;
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    ServerProcess.#running.add(this);
    child.once('close', () => ServerProcess.#running.delete(this));
    this.ended = once(child, 'close').then(([code]) => ({
      code: typeof code === 'number' ? code : null,
      stderr: this.#stderr,
      stdout: this.#stdout,
    }));
  }

  /**
   * Starts a process on a data directory, on free ports unless `env` names others. It may fail: see `ended`.
   * @param stdout where the log goes: to `ended` by default, to a pipe that is not read before {@link readStdout}, or to a file
   */
  static spawn(
    directory: string,
    env: Readonly<Record<string, string>> = {},
    stdout: 'read' | 'unread' | number = 'read',
  ): ServerProcess {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, mainArguments, {
      stdio: ['ignore', typeof stdout === 'number' ? stdout : 'pipe', 'pipe'],
      env: { PATH, ...testSettings(directory), ...env },
    });
    const server = new ServerProcess(directory, child);
    if (stdout === 'read') server.readStdout();
    return server;
  }

  /** Starts a process and waits until it serves. @throws Error with what it said when it does not */
  static async start(
    directory: string,
    env?: Readonly<Record<string, string>>,
    stdout?: 'read' | 'unread' | number,
  ): Promise<ServerProcess> {
    const server = ServerProcess.spawn(directory, env, stdout);
    await server.#ready();
    return server;
  }

  /** Kills all servers of this process that still run: for the end of a test, which may have failed at any time. */
  static async killAll(): Promise<void> {
    await Promise.all([...ServerProcess.#running].map((server) => server.end('SIGKILL')));
  }

  /** Credentials that the server wrote for its clients: keys, tokens and its present addresses. */
  get credentials(): Credentials {
    const credentials: Credentials = JSON.parse(readFileSync(path.join(this.directory, 'credentials.json'), 'utf8'));
    return credentials;
  }

  /** The id of the process; `undefined` where it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The log as far as it was read. */
  get stdout(): string {
    return this.#stdout;
  }

  /** Begins to read the log. */
  readStdout(): void {
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
  }

  /** Closes the reading end of the log. */
  closeStdout(): void {
    this.#child.stdout?.destroy();
  }

  /** Sends a signal and waits for the end. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }

  /** Sends a signal. */
  signal(signal: 'SIGTERM' | 'SIGHUP' | 'SIGUSR2' | 'SIGURG' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  async #ready(): Promise<void> {
    const greeted = new Promise<void>((resolve) => {
      const look = () => {
        if (this.#stderr.includes('Broadside is ready')) resolve();
      };
      this.#child.stderr?.on('data', look);
    });
    const failed = this.ended.then(({ code, stderr }) => {
      throw new Error(`the server ended with ${code}: ${stderr}`);
    });
    // Once it serves, its end is not a failure.
    failed.catch(() => {});
    await Promise.race([greeted, failed]);
  }
}
