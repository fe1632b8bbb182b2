/** Another process that takes a server's place: it inherits the sockets, and opens the stores when the server has let go. */
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../config/addresses.ts';
import { DataDirectoryInUseError } from '../db/data-lock.ts';
import { environmentOfHeir, type ListeningSockets } from './inherited-sockets.ts';

/** No successor takes over; the server goes on. */
export class SuccessorError extends Error {
  override readonly name = 'SuccessorError';
}

/** A process that is about to take over. */
export interface Successor {
  /** Resolves when it serves; with why not when it has ended before. */
  readonly outcome: Promise<'serves' | { readonly problem: string }>;
}

/** What a successor says when nothing but the stores is missing. */
const PREPARED = 'prepared';
/** What it says when it serves. */
const SERVING = 'serving';

/** The time that a successor has until then. It reads programs and settings only. */
const PREPARE_MS = 60_000;

/** A successor that has not ended by then counts as one that serves: an older version does not say so. */
const SERVE_MS = 600_000;

/** Between two looks whether the stores were let go. */
const LOOK_MS = 10;

/**
 * Starts the same program with the same arguments once more, and waits until it can take over.
 * @throws SuccessorError when it cannot; it has ended then
 */
export async function startSuccessor(sockets: ListeningSockets, environment: Environment): Promise<Successor> {
  const { env, descriptors } = environmentOfHeir(environment, sockets);
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', ...descriptors, 'ipc'],
    env,
  });
  const prepared = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new SuccessorError(`it was not prepared within ${PREPARE_MS / 1000} seconds`));
    }, PREPARE_MS);
    child.on('message', (message) => {
      if (message === PREPARED) resolve();
    });
    child.on('error', (error) => reject(new SuccessorError(error.message)));
    child.on('exit', (code, signal) => reject(new SuccessorError(`it ended with ${signal ?? code}; it has said why`)));
    const end = () => clearTimeout(timer);
    child.on('message', end).on('exit', end);
  });
  const outcome = new Promise<'serves' | { readonly problem: string }>((resolve) => {
    const timer = setTimeout(() => resolve('serves'), PREPARE_MS + SERVE_MS).unref();
    child.on('message', (message) => {
      if (message === SERVING) resolve('serves');
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      resolve({ problem: `it ended with ${signal ?? code} before it served; it has said why` });
    });
  });
  await prepared;
  return { outcome };
}

/** Says that this process serves, so that the one before it ends. */
export function sayServing(): void {
  // One that has gone needs not be told.
  if (process.connected) process.send?.(SERVING, undefined, undefined, () => {});
}

/**
 * Says that this process can take over, and opens the stores when they were let go.
 * @param open throws DataDirectoryInUseError as long as they are held
 * @param patience_ms how long they may be held
 */
export async function takeOver<Opened>(open: () => Promise<Opened>, patience_ms: number): Promise<Opened> {
  process.send?.(PREPARED);
  const began = performance.now();
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof DataDirectoryInUseError) || performance.now() - began > patience_ms) throw error;
    }
    await pause(LOOK_MS);
  }
}
