/** A `fetch` that responds from a script and records its requests. */
import { parseJson } from '@broadside/core';
import { formPairs } from '@broadside/core/auth';
import type { ClientCredentials } from '../credentials.ts';
import type { Fetch } from '../transport.ts';

/** Credentials that belong to nobody. */
export const credentials = {
  base_url: 'http://api.test',
  ads_base_url: 'http://ads.test',
  ads_sandbox_base_url: 'http://sandbox.test',
  consumer_key: 'ck',
  consumer_secret: 'cs',
  access_token: 'at',
  access_token_secret: 'ats',
  bearer_token: 'bt',
} satisfies ClientCredentials;

/** One step of the script. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body: string;
}

/** A request as received by the server. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  /** The address exactly as passed to `fetch`. */
  readonly address: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Headers;
  readonly body: string | undefined;
  /** The pairs of a form body. */
  readonly form: readonly (readonly [string, string])[];
  /** The data of a JSON body. */
  readonly json: unknown;
  /** The parts of a multipart body. */
  readonly parts: FormData | undefined;
}

/** The error with which Node's fetch fails. */
export function networkFailure(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) });
}

/** Outcome of a request: a response, a failure without one, or none at all. */
export type Step = FakeAnswer | Error | 'hang';

/** A server that uses each step once, in order. */
export function fakeServer(...script: readonly Step[]) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    const step = script[sent.length];
    sent.push(received(url, init));
    if (step === undefined) throw new RangeError(`request ${sent.length} was not expected: ${init.method} ${url}`);
    if (step === 'hang') return new Promise(() => {});
    if (step instanceof Error) throw step;
    const { status = 200, headers } = step;
    return new Response(status === 204 ? null : step.body, { status, headers: { ...headers } });
  };
  return { fetch, sent };
}

function received(address: string, init: RequestInit): Sent {
  const url = new URL(address);
  const headers = new Headers(init.headers);
  const body = typeof init.body === 'string' ? init.body : undefined;
  const type = headers.get('content-type');
  return {
    method: init.method ?? 'GET',
    url,
    address,
    query: pairs(url.search.slice(1)),
    headers,
    body,
    form: type === 'application/x-www-form-urlencoded' ? pairs(body ?? '') : [],
    json: type === 'application/json' ? parseJson(body ?? '') : undefined,
    parts: init.body instanceof FormData ? init.body : undefined,
  };
}

function pairs(text: string) {
  const read = formPairs(text, 10_000);
  if (read === undefined || read === 'too many') throw new TypeError(`not form-encoded: ${text}`);
  return read;
}

/** Returns the only element. @throws when there is none or several */
export function only<Value>(values: readonly Value[]): Value {
  const [value] = values;
  if (values.length !== 1 || value === undefined) throw new RangeError(`expected one, got ${values.length}`);
  return value;
}

/** Returns the error with which a promise is rejected. @throws when it is not of the class, or the promise resolves */
export async function rejection<Failure extends Error>(
  kind: new (...args: never[]) => Failure,
  promise: PromiseLike<unknown>,
): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  throw new TypeError(`expected ${kind.name}, but the call succeeded`);
}
