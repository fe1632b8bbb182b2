import type { FastifyBaseLogger } from 'fastify';
import type { RecordedCall, Recording } from '../../journal/records.ts';
import { infoLines, infoStart } from '../../log.ts';
import { type Random, randomText } from '../../world/random.ts';

/** The caller of a request, as far as it was proved. */
interface LoggedCaller {
  readonly kind: 'user' | 'app' | 'request_token' | 'operator';
  readonly user_id?: string;
  readonly app_id?: string;
}

/** An answer, as the log names it. */
export interface LoggedAnswer {
  readonly status: number;
  /** Ids of the operations that were called, separated by commas. */
  readonly operation?: string | undefined;
  /** The path of the route of the framework, with placeholders. */
  readonly route?: string | undefined;
  /** The id of the trace of the request, where it is traced. */
  readonly trace?: string | undefined;
  /** Codes and names of parameters for which the request was rejected, never their values; with 503 and 423 also what was away. */
  readonly rejected?: string | undefined;
  readonly caller?: LoggedCaller | undefined;
  /** The advertising account that the caller was let into. */
  readonly account_id?: string | undefined;
  /** Ids of the rules of faults that fired. */
  readonly fired?: readonly string[] | undefined;
  /** The calls that it answers, for the journal of their world. */
  readonly recorded?: RecordedCall | readonly RecordedCall[] | undefined;
  /** The journal that has it where it answers no call. */
  readonly journal?: Recording | undefined;
}

/**
 * Logs a request that was answered.
 * @param target path and query; the query can carry credentials, and is not logged
 * @param ms time that the request took
 * @param sent the value of `x-request-id` with which the request came
 */
export type RequestLog = (
  id: string,
  method: string,
  target: string,
  answer: LoggedAnswer,
  ms: number,
  sent?: string | string[],
) => void;

/** The header with the id of a request, which its line in the log has too: our choice of name, the most common one. */
export const REQUEST_ID = 'x-request-id';

/** Returns the function that logs the requests of a listener. */
export function requestLog(logger: FastifyBaseLogger, listener: string): RequestLog {
  const write = infoLines(logger);
  if (write === undefined) {
    return (id, method, target, { status, operation, rejected, trace, fired: faults, ...known }, ms, sent) => {
      const client_request = sentId(sent);
      const who = { ...callerMembers(known), client_request, trace, faults };
      const path = pathOf(target);
      logger.info(
        { listener, request: id, method, path, operation, status, ms: tenths(ms), rejected, ...who },
        'request',
      );
    };
  }
  // Few pieces: each costs again when the lines are put together.
  const start = `"listener":${JSON.stringify(listener)},"request":"`;
  return (id, method, target, { status, operation, rejected, caller, account_id, trace, fired }, ms, sent) => {
    if (!ofInfo.has(logger.level)) return;
    const path = pathOf(target);
    const quoted = PLAIN.test(path) ? `"${path}"` : JSON.stringify(path);
    const called = method === 'GET' ? '","method":"GET","path":' : `","method":${JSON.stringify(method)},"path":`;
    const what = operation === undefined ? '' : `,"operation":"${operation}"`;
    const why = rejected === undefined ? '' : `,"rejected":${JSON.stringify(rejected)}`;
    const who = caller === undefined ? '' : callerText(caller);
    const where = account_id === undefined ? '' : `,"account":"${account_id}"`;
    const theirs = sent === undefined ? undefined : sentId(sent);
    const along = theirs === undefined ? '' : `,"client_request":"${theirs}"`;
    const traced = trace === undefined ? '' : `,"trace":"${trace}"`;
    const faults = fired === undefined ? '' : `,"faults":${JSON.stringify(fired)}`;
    write(
      `${infoStart(start)}${id}${called}${quoted}${what},"status":${status},"ms":${tenths(ms)}${why}${who}${where}${along}${traced}${faults},"msg":"request"}\n`,
    );
  };
}

/** The ids of a caller and of the account, as members of a line in the log. */
export function callerMembers({ caller, account_id }: Pick<LoggedAnswer, 'caller' | 'account_id'>) {
  const { user_id: user, app_id: app } = caller ?? {};
  return { user, app, operator: caller?.kind === 'operator' ? true : undefined, account: account_id };
}

/** Ids consist of letters and digits, which JSON has as they are. */
function callerText({ kind, user_id, app_id }: LoggedCaller): string {
  const app = app_id === undefined ? '' : `,"app":"${app_id}"`;
  if (user_id !== undefined) return `,"user":"${user_id}"${app}`;
  return kind === 'operator' ? ',"operator":true' : app;
}

/** The id that a client gave its request, if it is short and plain. Nothing depends on it. */
function sentId(sent: string | string[] | undefined): string | undefined {
  return typeof sent === 'string' && SENT.test(sent) ? sent : undefined;
}

const SENT = /^[\w\-.:+/=]{1,100}$/;

/** Levels at which lines of level `info` are written. */
const ofInfo: ReadonlySet<string> = new Set(['info', 'debug', 'trace']);

/** A path that JSON has as it is. */
const PLAIN = /^[\w\-.~,:/]*$/;

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/**
 * Ids of requests: a number after random characters, which tell listeners and runs of the server from each other.
 * @param thread the number of the thread that serves; the main thread has 0, and is not named
 */
export function requestIds(random: Random, thread = 0): () => string {
  const prefix = `${randomText(random, 10, LETTERS_AND_DIGITS)}${thread === 0 ? '' : `-t${thread}`}-`;
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}${last.toString(36)}`;
  };
}

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The path of a target. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
