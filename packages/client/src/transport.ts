/** Sends requests: signs each attempt anew, waits and repeats by the policy, and reports the answer. */
import { formEncode, type Pair } from '@broadside/core/auth';
import { addressOf, type ClientCredentials, type Environment, type Host } from './credentials.ts';
import { CallError, NetworkError, nameOf, type RequestFacts, TimeoutError } from './errors.ts';
import { globalFetch, LONGEST_TIMER_MS, pause, systemRandom, wallClock } from './platform.ts';
import { type RateLimits, readRateLimits, retryAt } from './rate-limits.ts';
import { completePolicy, isRepeatable, type RetryPolicy, waitMs } from './retry.ts';
import { authorize, type Proof, type SigningSources } from './sign.ts';

/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of a single call. They replace those of the client; of two signals either stops the call. */
export interface CallOptions {
  /** Stops the call, waits included; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The longest that one attempt may take, answer included. 60 seconds when left out. */
  readonly timeoutMs?: number | undefined;
  /** Limits of automatic retries; `false` for none. */
  readonly retry?: RetryPolicy | false | undefined;
  /** More headers. They do not replace the authorization or the content type. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer, as passed to `onResponse`. */
export interface ResponseInfo extends RequestFacts {
  readonly status: number;
  /** From 1 on; higher for repeated requests. */
  readonly attempt: number;
  /** From sending to the end of the answer. */
  readonly ms: number;
  readonly rateLimits: RateLimits;
  /** The pause after which the request is repeated; absent when this answer is the last. */
  readonly retryInMs?: number;
}

/** Options of sending. */
export interface TransportOptions extends CallOptions, SigningSources {
  /** The advertising data to work on; `production` when left out. */
  readonly environment?: Environment | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Value of the `User-Agent` header. Browsers send their own. */
  readonly userAgent?: string | undefined;
  /** Called for every answer, also of attempts that are repeated. */
  readonly onResponse?: ((info: ResponseInfo) => void) | undefined;
  /** In place of a timer, for tests: resolves when `ms` have passed. */
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** A request to be sent. */
export interface OutgoingRequest {
  readonly method: string;
  /** Path below the host's address, encoded; it may hold a query. */
  readonly path: string;
  readonly query: readonly Pair[];
  readonly form?: readonly Pair[] | undefined;
  /** JSON text. */
  readonly json?: string | undefined;
  /** A body with parts, which no signature covers. */
  readonly parts?: FormData | undefined;
  /** Sent again, it leaves things as they are after the first time. */
  readonly repeatable?: boolean | undefined;
  readonly auth: Proof;
  readonly host: Host;
  readonly facts: RequestFacts;
}

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly rateLimits: RateLimits;
  /** Time from which the request may be retried, if the server said so. */
  readonly retry_at: Date | undefined;
}

type Attempt =
  | ({ readonly kind: 'answer' } & Answer)
  | { readonly kind: 'failure'; readonly unsent: boolean; readonly error: NetworkError };

const DEFAULT_TIMEOUT_MS = 60_000;

/** The way of one client to the server. */
export class Transport {
  readonly environment: Environment;
  readonly #credentials: ClientCredentials;
  readonly #options: TransportOptions;
  #rateLimits: RateLimits = {};

  constructor(credentials: ClientCredentials, options: TransportOptions) {
    this.#credentials = credentials;
    this.#options = options;
    this.environment = options.environment ?? 'production';
    // Invalid options are rejected where they were written.
    completePolicy(options.retry);
    completeTimeout(options.timeoutMs);
  }

  /** Milliseconds since the epoch, as signatures have them. */
  get now(): () => number {
    return this.#options.now ?? wallClock;
  }

  /** The policy for calls that bring none; `undefined` for the usual one. */
  get retry(): RetryPolicy | false | undefined {
    return this.#options.retry;
  }

  /** Waits as the transport itself does between attempts. @throws the reason of either signal */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { sleep = pause, signal: own } = this.#options;
    return sleep(ms, either(signal, own));
  }

  /** The limits that the last answer reported. */
  get rateLimits(): RateLimits {
    return this.#rateLimits;
  }

  /**
   * Sends a request, repeating it by the policy, and gives the last answer whatever its status.
   * @throws CallError, NetworkError, TimeoutError, or the reason of the signal
   */
  async send(request: OutgoingRequest, options: CallOptions = {}): Promise<Answer> {
    const { now = wallClock, random = systemRandom, sleep = pause, onResponse } = this.#options;
    const signal = either(options.signal, this.#options.signal);
    const timeoutMs = completeTimeout(options.timeoutMs ?? this.#options.timeoutMs);
    const policy = completePolicy(options.retry ?? this.#options.retry);
    const url = this.#url(request);
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const init = await this.#init(request, url, options);
      const began = now();
      const end = await this.#attempt(request.facts, url, init, signal, timeoutMs);
      const ended = now();
      let pauseMs: number | undefined;
      if (attempt < policy.attempts && isRepeatable(request, end)) {
        const wait = waitMs(end, attempt, ended, fraction(random));
        if (waited + wait <= policy.maxWaitMs) pauseMs = wait;
      }
      if (end.kind === 'answer') {
        const { status, rateLimits } = end;
        this.#rateLimits = rateLimits;
        onResponse?.({
          ...request.facts,
          status,
          attempt,
          ms: ended - began,
          rateLimits,
          ...(pauseMs === undefined ? {} : { retryInMs: pauseMs }),
        });
      }
      if (pauseMs === undefined) {
        if (end.kind === 'failure') throw end.error;
        return end;
      }
      waited += pauseMs;
      await sleep(pauseMs, signal);
    }
  }

  #url({ host, path, query }: OutgoingRequest): string {
    // A fragment never goes over the wire.
    const text = addressOf(this.#credentials, host, this.environment) + path.replace(/#.*$/s, '');
    const mark = text.includes('?') ? '&' : '?';
    const whole = query.length === 0 ? text : `${text}${mark}${formEncode(query)}`;
    if (!URL.canParse(whole)) throw new CallError(`${path} is not a valid path.`);
    // The signed URL must be the one that fetch sends, so it is normalized as fetch does before.
    return new URL(whole).href;
  }

  async #init(request: OutgoingRequest, url: string, options: CallOptions): Promise<RequestInit> {
    const { method, form, json, parts, auth } = request;
    const authorization = await authorize(auth, this.#credentials, { method, url, form }, this.#options);
    const headers = new Headers({ accept: 'application/json' });
    for (const given of [this.#options.headers, options.headers]) {
      for (const [name, value] of Object.entries(given ?? {})) headers.set(name, value);
    }
    if (this.#options.userAgent !== undefined) headers.set('user-agent', this.#options.userAgent);
    if (authorization !== undefined) headers.set('authorization', authorization);
    // A redirected request would carry a signature that does not fit, or a token to somewhere else.
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (parts !== undefined) {
      // The type names the line between the parts, which `fetch` makes up.
      headers.delete('content-type');
      init.body = parts;
    } else if (json !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = json;
    } else if (form !== undefined && form.length > 0) {
      headers.set('content-type', 'application/x-www-form-urlencoded');
      init.body = formEncode(form);
    }
    return init;
  }

  async #attempt(
    facts: RequestFacts,
    url: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    timeoutMs: number,
  ): Promise<Attempt> {
    const { fetch: send = globalFetch, now = wallClock } = this.#options;
    const deadline = new Deadline(signal, timeoutMs);
    try {
      const response = await deadline.race(send(url, { ...init, signal: deadline.signal }));
      const text = await deadline.race(response.text());
      const { status, headers } = response;
      const rateLimits = readRateLimits(headers);
      const retry_at = retryAt(status, headers, rateLimits, now());
      return { kind: 'answer', status, headers, text, rateLimits, retry_at };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (deadline.passed) return { kind: 'failure', unsent: false, error: new TimeoutError(facts, timeoutMs) };
      const unsent = isConnectFailure(cause);
      const message = `${nameOf(facts)} got no answer from ${new URL(url).origin}: ${reasonOf(cause)}`;
      return { kind: 'failure', unsent, error: new NetworkError(facts, message, { mayHaveHappened: !unsent, cause }) };
    } finally {
      deadline.clear();
    }
  }
}

/** Ends an attempt when its time is over or the caller stops it, also when `fetch` pays no attention to signals. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #over: Promise<never>;
  passed = false;

  constructor(caller: AbortSignal | undefined, timeoutMs: number) {
    this.#caller = caller;
    this.#over = new Promise((_, reject) => {
      this.#controller.signal.addEventListener('abort', () => reject(this.#controller.signal.reason));
    });
    // Nobody may be racing when it rejects.
    this.#over.catch(() => {});
    if (caller?.aborted) this.#stop();
    caller?.addEventListener('abort', this.#stop);
    if (timeoutMs > LONGEST_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.passed = true;
      this.#controller.abort();
    }, timeoutMs);
  }

  readonly #stop = () => this.#controller.abort();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  race<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.#over]);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#stop);
  }
}

function either(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

function completeTimeout(timeoutMs: number = DEFAULT_TIMEOUT_MS): number {
  if (timeoutMs > 0) return timeoutMs;
  throw new CallError('timeoutMs must be a number of milliseconds above 0');
}

/** A number from 0 up to 1 out of four random bytes. */
function fraction(random: (length: number) => Uint8Array): number {
  return random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32;
}

/**
 * Codes that Node's fetch gives in `cause` only when there was no connection: nothing went out. A code that can also come
 * from a connection that stood (`ECONNRESET`, `EPIPE`, `ETIMEDOUT`, `UND_ERR_SOCKET`) is not among them. Browsers give no
 * code, so there a write is never retried after a failure.
 */
const CONNECT_FAILURES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function isConnectFailure(error: unknown): boolean {
  return codesOf(error).some((code) => CONNECT_FAILURES.has(code));
}

/** The codes along the chain of causes. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [...code, ...codesOf(error.cause)];
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node says "fetch failed" and keeps the reason in the cause.
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message || codesOf(error)[0] || error.name;
}
