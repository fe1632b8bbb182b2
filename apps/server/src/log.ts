/**
 * Logs: one JSON object per line on stdout, or readable lines when stdout is a terminal. Records are built from named
 * members only, never from a request's headers, query or body, so that no secret can get into one.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config/config.ts';
import { LogOutput, type Sink, standardOutput } from './log-output.ts';
import { wallClock } from './world/clock.ts';

type LogConfig = Pick<Config, 'logLevel' | 'logFormat'>;

/** A logger, and what became of its lines. */
export interface Log {
  readonly logger: Logger;
  readonly output: LogOutput;
}

/** Creates the logger of a server. */
export function createLogger(config: LogConfig): Logger {
  return openLog(config).logger;
}

/** Creates the logger of a server, and gives access to its output. */
export function openLog({ logLevel, logFormat }: LogConfig, sink: Sink = standardOutput()): Log {
  const forPeople = logFormat === 'text' || (logFormat === 'auto' && process.stdout.isTTY);
  const lossRecord = (lost: number) =>
    `${JSON.stringify({ level: 40, time: new Date(wallClock.now()).toISOString(), lost, msg: 'log lines were lost' })}\n`;
  const lossLine = forPeople ? (lost: number) => humanLine(JSON.parse(lossRecord(lost))) : lossRecord;
  const output = new LogOutput({ sink, lossLine });
  const stream = forPeople ? humanStream((line) => output.write(line)) : output;
  const logger = pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  streams.set(logger, stream);
  return { logger, output };
}

/** The streams of loggers whose lines have the form of {@link infoStart}. */
const streams = new WeakMap<object, DestinationStream>();

/** Returns the function that takes finished lines at level `info`, as {@link infoStart} begins them; `undefined` where there is none. */
export function infoLines(logger: object): ((line: string) => void) | undefined {
  const stream = streams.get(logger);
  return stream && ((line) => stream.write(line));
}

/**
 * Returns the function that takes finished lines of other threads, encoded, with their number; nothing is written where the logger is
 * none of a server.
 */
export function threadLines(logger: object): (lines: Uint8Array, count: number) => void {
  const stream = streams.get(logger);
  if (stream instanceof LogOutput) return (lines, count) => stream.writeBytes(lines, count);
  return (lines) => {
    // Not `.`, which means no separator of JSON either: lines have those of Unicode as they are.
    for (const line of Buffer.from(lines)
      .toString()
      .match(/[^\n]*\n/g) ?? [])
      stream?.write(line);
  };
}

/**
 * The beginning of a line as the logger writes it, at a fraction of its cost: requests have one each.
 * @param members the first ones as JSON, without a brace
 */
export function infoStart(members: string): string {
  const ms = wallClock.now();
  // Many lines have the same.
  if (latest.ms !== ms || latest.members !== members) {
    const text = `{"level":30,"time":"${new Date(ms).toISOString()}",${members}`;
    latest = { ms, members, text };
  }
  return latest.text;
}

let latest = { ms: 0, members: '', text: '' };

/** Creates the logger of a thread whose lines another one writes. */
export function createThreadLogger({ logLevel }: Pick<Config, 'logLevel'>, lines: DestinationStream): Logger {
  const logger = pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, lines);
  streams.set(logger, lines);
  return logger;
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
    const { method, path, status, ms, listener, operation, rejected } = rest;
    const what = operation === undefined ? '' : ` ${operation}`;
    const why = rejected === undefined ? '' : ` ${rejected}`;
    return `${clock}${name} ${listener} ${method} ${path} ${status} ${ms} ms${what}${why}${idsOf(rest)}\n`;
  }
  const { err, ...members } = rest;
  const facts = Object.entries(members).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${clock}${name} ${msg}${facts.join('')}${stackOf(err)}\n`;
}

/** Members of a request by which lines and callers are found, in the order in which they are shown. */
const SHOWN_IDS = ['user', 'app', 'operator', 'account', 'request', 'client_request', 'trace', 'faults'] as const;

function idsOf(members: Readonly<Record<string, unknown>>): string {
  return SHOWN_IDS.filter((name) => members[name] !== undefined)
    .map((name) => ` ${name}=${members[name]}`)
    .join('');
}

function stackOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'stack' in error ? `\n${String(error.stack)}` : '';
}
