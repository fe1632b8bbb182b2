/** Credentials of a request. None of them are trusted yet. */
import type { CallableKind } from '@broadside/core';
import { type ParsedRequest, percentDecode, type ReceivedRequest } from '@broadside/core/auth';
import type { NonceTurn } from '../auth/nonce-turn.ts';
import type { Awaitable } from '../awaitable.ts';
import type { CountWith } from '../shared/shared-state.ts';
import type { Caller } from './caller.ts';

/** Key and secret of HTTP Basic. */
export interface BasicCredentials {
  readonly key: string;
  readonly secret: string;
}

/** A host that is none of the listener. */
export interface ForeignHost {
  /** The setting that would make it one. */
  readonly setting: string;
}

/** Credentials of a request. */
export interface Credentials {
  /** The request, taken apart by the signature's rules. */
  readonly request: ParsedRequest;
  /** The request as it came, for explaining what is wrong with its signature. */
  readonly received: ReceivedRequest;
  /** The body is read after the caller is known; who reads it holds it against `oauth_body_hash`. */
  readonly streamed?: true;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The public origin (and path prefix) under which the client reached this listener; the signature covers it. */
  readonly baseUrl: string;
  /** Set where the request names a host that is none of the listener: no signature counts then. */
  readonly foreignHost?: ForeignHost | undefined;
  /** Given where one HTTP request carries several calls, which then share one proof. */
  readonly shared?: SharedProof | undefined;
  /** How the request is counted in the step that uses its nonce up; `undefined` where that is not known before. */
  readonly counting?: ((caller: Caller) => CountWith | undefined) | undefined;
}

/**
 * Authenticates an HTTP request that carries several calls, once: its nonce is valid for one use, and so the second
 * call would be rejected as a replay.
 */
export class SharedProof {
  readonly #callers = new Map<CallableKind, () => Awaitable<Caller>>();
  /** The turn in which the nonce is logged that the calls share. */
  turn: NonceTurn | undefined;

  /** @param kind the kind of the operation: credentials that identify an app for one kind do not identify a user for another */
  once(kind: CallableKind, verify: () => Awaitable<Caller>): Awaitable<Caller> {
    const known = this.#callers.get(kind) ?? outcomeOf(verify);
    this.#callers.set(kind, known);
    return known();
  }
}

/** Runs a verification. @returns gives its caller, or throws its error, as often as it is called */
function outcomeOf(verify: () => Awaitable<Caller>): () => Awaitable<Caller> {
  try {
    const caller = verify();
    return () => caller;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Reads the token of an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}

/**
 * Reads an `Authorization: Basic` header, whose two parts are percent-encoded before they are joined (reference, auth
 * section 5). `undefined` when there is none, or it is none that an app can have sent.
 */
export function basicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const key = colon === -1 ? undefined : percentDecode(text.slice(0, colon));
  const secret = colon === -1 ? undefined : percentDecode(text.slice(colon + 1));
  return key === undefined || secret === undefined ? undefined : { key, secret };
}
