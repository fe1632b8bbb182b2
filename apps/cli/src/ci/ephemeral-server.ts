/** A server for one command: on free ports, in a directory of its own that goes with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CliError } from '../errors.ts';
import type { Env, Io } from '../io.ts';
import { askReadyHere, pause } from '../server-state.ts';
import { printable } from '../text.ts';
import { SERVE_WORD, type ServeMessage } from './serve.ts';

/** Settings of the caller that the server takes over; none of those that name other data, addresses or secrets. */
const KEPT_SETTINGS = [
  'BROADSIDE_AUDIENCE_PROCESSING',
  'BROADSIDE_CONTROL',
  'BROADSIDE_HTTP_LIMITS',
  'BROADSIDE_JOURNAL',
  'BROADSIDE_LOG_FORMAT',
  'BROADSIDE_MODE',
  'BROADSIDE_QUOTAS',
  'BROADSIDE_RATE_LIMITS',
  'BROADSIDE_WORKERS',
];

const PREFIX = 'broadside-ci-';

/** Directories without a server that are older have been left behind: everything was killed at once. */
const STALE_MS = 600_000;

/** The time that the server gets to end. */
const GRACE_MS = 15_000;

const STEP_MS = 20;

/** Options of the server. */
export interface EphemeralOptions {
  readonly timeoutMs: number;
  /** A file for the server's log; none is kept without. */
  readonly log: string | undefined;
}

/** A running server. */
export interface EphemeralServer {
  readonly dataDirectory: string;
  /** Of its first port. */
  readonly baseUrl: string;
  /** Of the listener that controls worlds, if it is open. */
  readonly controlUrl: string | undefined;
  /** True while it runs. */
  readonly isRunning: boolean;
  /** Has the server end the command, too, if this process is killed. */
  watch(pid: number): Promise<void>;
  /** Stops the server and removes its directory. */
  stop(): Promise<void>;
}

/** Starts a server. @param aborted says when to give up @throws CliError when it does not start */
export async function startEphemeral(
  io: Pick<Io, 'env' | 'cwd' | 'fetch' | 'sleep'>,
  { timeoutMs, log }: EphemeralOptions,
  aborted: () => boolean,
): Promise<EphemeralServer> {
  const { findServer, processMark } = await import('@broadside/server/place');
  removeStale((directory) => findServer(directory) !== undefined);
  const root = mkdtempSync(path.join(tmpdir(), PREFIX));
  const dataDirectory = path.join(root, 'data');
  const child = spawnServer(io, root, dataDirectory, log);
  let isRunning = true;
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      isRunning = false;
      resolve();
    });
    child.on('error', () => {
      isRunning = false;
      resolve();
    });
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  // The pipe of a server that has ended.
  child.stdin?.on('error', () => {});
  const tell = (message: ServeMessage) => child.stdin?.write(`${JSON.stringify(message)}\n`);
  const stop = async () => {
    tell({ kind: 'ended' });
    child.stdin?.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await ended;
    clearTimeout(timer);
    rmSync(root, { recursive: true, force: true });
  };
  const began = performance.now();
  let baseUrl: string;
  let controlUrl: string | undefined;
  for (;;) {
    const found = findServer(dataDirectory);
    const urls = found?.local_urls;
    if (urls && (await askReadyHere(io, urls)).state === 'ready') {
      baseUrl = urls.api;
      controlUrl = found?.control_url;
      break;
    }
    const late = performance.now() - began > timeoutMs;
    if (!isRunning || late || aborted()) {
      await stop();
      const lines = said.split('\n').filter((line) => line.trim() !== '');
      throw new CliError(
        'unavailable',
        late ? 'The server was not ready in time' : 'The server did not start',
        lines.slice(-5).map(printable),
      );
    }
    await pause(io, STEP_MS);
  }
  return {
    dataDirectory,
    baseUrl,
    controlUrl,
    get isRunning() {
      return isRunning;
    },
    watch: async (pid) => {
      const mark = processMark(pid);
      if (mark !== undefined) tell({ kind: 'running', pid, mark });
    },
    stop,
  };
}

function spawnServer(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  root: string,
  dataDirectory: string,
  log: string | undefined,
): ChildProcess {
  const [, program = ''] = process.argv;
  return spawn(process.execPath, [...process.execArgv, program, SERVE_WORD, root], {
    // Not in the group of the terminal: ^C is for the command, which may still need the server to end well.
    detached: true,
    stdio: ['pipe', log === undefined ? 'ignore' : openSync(path.resolve(cwd, log), 'a', 0o600), 'pipe'],
    env: {
      ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BROADSIDE_'))),
      BROADSIDE_WORKERS: '1',
      ...pick(env, KEPT_SETTINGS),
      BROADSIDE_LOG_LEVEL: log === undefined ? 'silent' : env['BROADSIDE_LOG_LEVEL'] || 'info',
      BROADSIDE_DATA_DIR: dataDirectory,
      BROADSIDE_HOST: '127.0.0.1',
      BROADSIDE_API_PORT: '0',
      BROADSIDE_ADS_PORT: '0',
      BROADSIDE_SANDBOX_PORT: '0',
    },
  });
}

function pick(env: Env, names: readonly string[]): Env {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** Removes what is left of runs of this user of which every process was killed. */
function removeStale(isServed: (directory: string) => boolean): void {
  const own = process.getuid?.();
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = path.join(tmpdir(), name);
    const facts = lstatSync(directory, { throwIfNoEntry: false });
    if (!facts?.isDirectory() || facts.uid !== own || Date.now() - facts.mtimeMs < STALE_MS) continue;
    if (!isServed(path.join(directory, 'data'))) rmSync(directory, { recursive: true, force: true });
  }
}
