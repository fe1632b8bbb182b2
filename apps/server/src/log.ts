/**
 * Logs: one JSON object per line on stdout, or readable lines when stdout is a terminal. Records are built from named
 * members only, never from a request's headers, query or body, so that no secret can get into one.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config/config.ts';

/** Size of the buffer before the JSON log is written, in bytes, and the longest delay in milliseconds. */
const BUFFER = { minLength: 8192, periodicFlush: 500, sync: false } as const;

/** Creates the logger of a server. */
export function createLogger({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const forPeople = logFormat === 'text' || (logFormat === 'auto' && process.stdout.isTTY);
  const stream = forPeople ? humanStream((line) => process.stdout.write(line)) : pino.destination(BUFFER);
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

/** Formats each JSON record as a line such as `08:15:02 POST /12/accounts 200 2.1 ms`. */
export function humanStream(write: (line: string) => void): DestinationStream {
  return { write: (record) => write(humanLine(JSON.parse(record))) };
}

function humanLine({ level, time, msg, ...rest }: Readonly<Record<string, unknown>>): string {
  const clock = String(time).slice(11, 19);
  const name = Number(level) >= 40 ? ` ${(pino.levels.labels[Number(level)] ?? '').toUpperCase()}` : '';
  // The greeting says the same and more.
  if (msg === 'ready') return '';
  if (msg === 'request') {
    const { method, path, status, ms, listener, refused } = rest;
    const why = refused === undefined ? '' : ` ${refused}`;
    return `${clock}${name} ${listener} ${method} ${path} ${status} ${ms} ms${why}\n`;
  }
  const { err, ...members } = rest;
  const facts = Object.entries(members).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${clock}${name} ${msg}${facts.join('')}${stackOf(err)}\n`;
}

function stackOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'stack' in error ? `\n${String(error.stack)}` : '';
}
