/**
 * `server.json` in the data directory: which process serves it, and where. Written after the directory was locked, removed before it is
 * given free. What a process left behind that was killed is recognized by the mark of the process.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { dataNames } from '../data-names.ts';
import { processMark } from './process-mark.ts';

/** Base URLs by listener. */
type Urls = Readonly<Record<'api' | 'ads' | 'sandbox', string>>;

/** Content of the file. */
export interface ServerFile {
  readonly pid: number;
  /** See {@link processMark}. */
  readonly process: string;
  /** The machine or container, in which alone the number of the process means something. */
  readonly machine: string;
  readonly version: string;
  readonly started_at: string;
  /** `starting` until requests are answered. */
  readonly state: 'starting' | 'ready';
  /** The base URLs as clients use them. Absent until they are known. */
  readonly urls?: Urls;
  /** The addresses of the listeners themselves. */
  readonly local_urls?: Urls;
  /** The address of the listener that controls worlds, if it is open. */
  readonly control_url?: string;
  /** SIGUSR2 has it start a successor. Absent where it does not. */
  readonly restarts?: Restarts;
}

/** What became of attempts to have a successor take over. */
export interface Restarts {
  /** How many there were. */
  readonly attempts: number;
  /** Why the last one has failed, once it has. */
  readonly problem?: string;
}

/** A server that has made itself known. */
export interface Publication {
  /** Says that requests are answered. */
  ready(urls: Urls, local_urls: Urls, control_url?: string): void;
  /** Says that an attempt at a successor begins, or has failed. */
  restarting(problem?: string): void;
  /** Removes the file. */
  withdraw(): void;
}

const nameOf = (directory: string) => path.join(directory, dataNames.server);

/**
 * Writes the file. The directory must be locked by this process.
 * @param failed called when it cannot be written, as on a full disk; a server serves without it
 */
export function publishServer(
  directory: string,
  { started_at, version, restarts: can }: Pick<ServerFile, 'started_at' | 'version' | 'restarts'>,
  failed: (error: unknown) => void,
): Publication {
  const file = nameOf(directory);
  const own = {
    pid: process.pid,
    process: processMark(process.pid) ?? '',
    machine: hostname(),
    version,
    started_at,
  };
  const write = (content: ServerFile) => {
    try {
      writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch (error) {
      failed(error);
    }
  };
  let content: ServerFile = { ...own, state: 'starting' };
  let attempts = can?.attempts ?? 0;
  write(content);
  return {
    ready(urls, local_urls, control_url) {
      content = {
        ...own,
        state: 'ready',
        urls: { ...urls },
        local_urls: { ...local_urls },
        ...(control_url === undefined ? {} : { control_url }),
        ...(can ? { restarts: can } : {}),
      };
      write(content);
    },
    restarting(problem) {
      if (problem === undefined) attempts += 1;
      content = { ...content, restarts: { attempts, ...(problem === undefined ? {} : { problem }) } };
      write(content);
    },
    withdraw: () => rmSync(file, { force: true }),
  };
}

/** A server on a data directory, as far as it can be seen from here. */
export interface FoundServer extends ServerFile {
  /** True if the process runs on this machine; `false` where it may run on another one or in a container. */
  readonly isHere: boolean;
}

/** Reads who serves a data directory; `undefined` when nobody does. */
export function findServer(directory: string): FoundServer | undefined {
  const held = readServerFile(nameOf(directory));
  if (!held) return undefined;
  if (held.process !== '' && processMark(held.pid) === held.process) return { ...held, isHere: true };
  return held.machine === hostname() ? undefined : { ...held, isHere: false };
}

function readServerFile(file: string): ServerFile | undefined {
  let held: unknown;
  try {
    held = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  return isServerFile(held) ? held : undefined;
}

function isServerFile(held: unknown): held is ServerFile {
  if (typeof held !== 'object' || held === null) return false;
  const { pid, process: mark, machine, state, urls, local_urls }: Readonly<Record<string, unknown>> = { ...held };
  const known = typeof pid === 'number' && typeof mark === 'string' && typeof machine === 'string';
  return known && (state === 'starting' || (state === 'ready' && isObject(urls) && isObject(local_urls)));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
