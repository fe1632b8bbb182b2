/** The server on a data directory: whether it runs, where, and what it says of itself. */
import type { FoundServer } from '@broadside/server/place';
import { messageOf, UsageError } from './errors.ts';
import type { Flag } from './flag.ts';
import type { FlagValues } from './flags.ts';
import type { Io } from './io.ts';

/** The flag that names the data directory. */
export const dataDirFlag: Flag = {
  name: 'data-dir',
  kind: 'text',
  hint: 'directory',
  description: 'The data directory. Default: BROADSIDE_DATA_DIR, or .data.',
  completes: 'directory',
};

/** The data directory by flag and settings. */
export async function dataDirectory({ env, cwd }: Pick<Io, 'env' | 'cwd'>, flags: FlagValues): Promise<string> {
  const { dataDirectoryOf } = await import('@broadside/server/place');
  const given = flags.text('data-dir');
  return dataDirectoryOf(given === undefined ? env : { BROADSIDE_DATA_DIR: given }, cwd);
}

/** The answer of a server to the question whether it is ready. */
export interface Readiness {
  readonly state: 'ready' | 'not ready' | 'unreachable';
  /** One sentence each. */
  readonly reasons: readonly string[];
  readonly notices: readonly string[];
}

/** An answer that takes longer is none. */
const PATIENCE_MS = 5_000;

/** Asks a server whether it is ready. */
export async function askReady({ fetch }: Pick<Io, 'fetch'>, baseUrl: string): Promise<Readiness> {
  return readinessOf(async () => {
    const response = await fetch(`${baseUrl}/ready`, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    return response.json();
  });
}

/**
 * Asks the server on a data directory whether it is ready, at the address of its listener. Its certificate has the name that clients
 * use, not that address, so it is not verified; nothing is sent that others may not see.
 */
export async function askReadyHere(io: Pick<Io, 'fetch'>, { api }: { readonly api: string }): Promise<Readiness> {
  if (!api.startsWith('https:')) return askReady(io, api);
  const { get } = await import('node:https');
  const { json } = await import('node:stream/consumers');
  return readinessOf(
    () =>
      new Promise((resolve, reject) => {
        const options = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(PATIENCE_MS) };
        get(`${api}/ready`, options, (response) => void json(response).then(resolve, reject)).on('error', reject);
      }),
  );
}

async function readinessOf(ask: () => Promise<unknown>): Promise<Readiness> {
  try {
    const body = await ask();
    const said: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {};
    if (said['status'] !== 'ready' && said['status'] !== 'not ready')
      return unreachable('what answers is not Broadside');
    return { state: said['status'], reasons: texts(said['reasons']), notices: texts(said['notices']) };
  } catch (error) {
    return unreachable(error instanceof SyntaxError ? 'what answers is not Broadside' : innermost(error));
  }
}

function unreachable(reason: string): Readiness {
  return { state: 'unreachable', reasons: [reason], notices: [] };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function innermost(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : messageOf(error);
}

/** Finds who serves a data directory. */
export async function serverOn(directory: string): Promise<FoundServer | undefined> {
  const { findServer } = await import('@broadside/server/place');
  return findServer(directory);
}

/** The flag that says how long a command waits. @param seconds the default */
export function timeoutFlag(description: string, seconds: number): Flag {
  return { name: 'timeout', kind: 'text', hint: 'seconds', description, default: `${seconds}` };
}

/** Reads `--timeout`, in seconds. @returns milliseconds */
export function timeoutOf(flags: FlagValues, seconds: number): number {
  const text = flags.text('timeout');
  const value = text === undefined ? seconds : /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw new UsageError(`--timeout is a number of seconds, not "${text}"`);
  return value * 1000;
}

/** Waits between two looks. */
export function pause({ sleep }: Pick<Io, 'sleep'>, ms: number): Promise<void> {
  return sleep ? sleep(ms, undefined) : new Promise((resolve) => setTimeout(resolve, ms));
}
