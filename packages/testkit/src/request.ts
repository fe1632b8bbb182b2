/** Builds requests as a client would send them: encoded, with a body and signed. */
import { createHmac } from 'node:crypto';
import { stringifyJson } from '@broadside/core';
import {
  authorizationHeader,
  formEncode,
  type Hmac,
  type Pair,
  type SignatureMethod,
  signRequest,
} from '@broadside/core/auth';
import type { ListenerName } from '@broadside/server';
import type { TestUser } from './user.ts';

type Scalar = string | number | bigint | boolean;

/** Parameters by name; an array becomes a comma list, `undefined` is omitted. Pairs where a name occurs twice. */
export type Params =
  | Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>
  | readonly (readonly [string, string])[];

/** Replacements for the user's credentials when signing: for requests that must be rejected. */
export interface SignOverrides {
  readonly consumerKey?: string;
  readonly consumerSecret?: string;
  /** `null` signs for the app alone. */
  readonly token?: string | null;
  readonly tokenSecret?: string;
  readonly nonce?: string;
  /** Seconds since 1970. */
  readonly timestamp?: number;
  readonly signatureMethod?: SignatureMethod;
  /** The place of the OAuth parameters. Defaults to the `Authorization` header. */
  readonly in?: 'header' | 'query' | 'form';
  /** Replaces the signature after it was computed. */
  readonly signature?: (right: string) => string;
}

/** A request to one of the listeners. */
export interface TestRequest {
  /** Defaults to `sandbox`. */
  readonly listener?: ListenerName;
  /** Defaults to `GET`. */
  readonly method?: string;
  /** Encoded, without query. Segments of dots are resolved, as clients resolve them before they sign. */
  readonly path: string;
  readonly query?: Params;
  /** A body of `application/x-www-form-urlencoded`. */
  readonly form?: Params;
  /** A JSON body; a `bigint` keeps its digits. */
  readonly json?: unknown;
  /** A raw body, with the content type in `headers`. */
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The signing user. Defaults to the world's own user; null leaves the request unsigned. */
  readonly as?: TestUser | null;
  readonly sign?: SignOverrides;
}

/** A response. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as received. */
  readonly bytes: Uint8Array;
  /** The body parsed as JSON, with exact whole numbers; `undefined` when it is not JSON. */
  readonly body: unknown;
}

/** A request ready to be sent. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | undefined;
}

/** Time and nonces for signatures. */
export interface Signing {
  readonly nowSeconds: () => number;
  readonly nonce: () => string;
}

const hmac: Hmac = (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64');

/** Returns parameters as decoded pairs. */
function pairsOf(params: Params | undefined): Pair[] {
  if (params === undefined) return [];
  if (isPairs(params)) return [...params];
  return Object.entries(params).flatMap(([name, value]): Pair[] => {
    if (value === undefined) return [];
    // A parameter is unset by sending it with no value (specification A, shared conventions 6).
    if (value === null) return [[name, '']];
    return [[name, typeof value === 'object' ? value.join(',') : String(value)]];
  });
}

function isPairs(params: Params): params is readonly (readonly [string, string])[] {
  return Array.isArray(params);
}

/** Builds the request to send. */
export async function buildRequest(
  request: TestRequest,
  { origin, user, signing }: { origin: string; user: TestUser | null; signing: Signing },
): Promise<WireRequest> {
  const { method = 'GET', path, json, sign = {} } = request;
  // What is signed is what arrives: `inject` resolves the path, too.
  const { pathname, search } = new URL(`${origin}${path}`);
  const address = `${origin}${pathname}${search}`;
  const query = pairsOf(request.query);
  const form = request.form === undefined ? undefined : pairsOf(request.form);
  const headers: Record<string, string> = {};
  if (user !== null || request.sign !== undefined) {
    const token = sign.token === null ? undefined : (sign.token ?? user?.access_token);
    const signed = await signRequest({
      method,
      url: withQuery(address, query),
      form,
      credentials: {
        consumerKey: sign.consumerKey ?? user?.consumer_key ?? '',
        consumerSecret: sign.consumerSecret ?? user?.consumer_secret ?? '',
        token,
        tokenSecret: token === undefined ? undefined : (sign.tokenSecret ?? user?.access_token_secret),
      },
      nonce: sign.nonce ?? signing.nonce(),
      timestamp: sign.timestamp ?? signing.nowSeconds(),
      signatureMethod: sign.signatureMethod,
      hmac,
    });
    const change = sign.signature ?? ((right: string) => right);
    const parameters = signed.parameters.map(
      ([name, value]): Pair => (name === 'oauth_signature' ? [name, change(value)] : [name, value]),
    );
    if (sign.in === 'query') query.push(...parameters);
    else if (sign.in === 'form' && form) form.push(...parameters);
    else headers['authorization'] = authorizationHeader(parameters);
  }
  const body = bodyOf(form, json, request.body);
  if (form) headers['content-type'] = 'application/x-www-form-urlencoded';
  else if (json !== undefined) headers['content-type'] = 'application/json';
  return { method, url: withQuery(address, query), headers: { ...headers, ...request.headers }, body };
}

function bodyOf(form: Pair[] | undefined, json: unknown, raw: string | Buffer | undefined) {
  if (form) return formEncode(form);
  return json === undefined ? raw : stringifyJson(json);
}

function withQuery(url: string, query: readonly Pair[]): string {
  return query.length === 0 ? url : `${url}?${formEncode(query)}`;
}
