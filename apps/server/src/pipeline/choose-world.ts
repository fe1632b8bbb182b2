/** Finds the world of a call by its credentials. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@broadside/core';
import { parseRequest } from '@broadside/core/auth';
import { basicCredentials, bearerToken, type Credentials } from './credentials.ts';

/** The header by which the operator names a world, and the path prefix of an address without a credential is passed on. */
export const WORLD_HEADER = 'broadside-world';

/** A world while calls are inside. */
export interface Entered<Services> {
  readonly services: Services;
  /** Keeps the world open until {@link leave}. @returns false when it is being closed */
  enter(): boolean;
  leave(): void;
}

/** Finds worlds other than the one that asks. */
export interface WorldFinder<Services> {
  /** The default world, where it can be replaced while calls come in: each enters it, and otherwise waits by {@link use}. */
  readonly here?: Entered<Services> | undefined;
  /** Returns the id of the world that a credential belongs to; `undefined` for the default world. */
  worldOf(credential: string | undefined): string | undefined;
  /** Returns a world other than the default one if it is open; missing where all of them are elsewhere. */
  opened?(id: string): Entered<Services> | undefined;
  /** Runs a work in a world; `undefined` if there is none of this id. */
  use<T>(id: string, work: (services: Services) => T | Promise<T>): Promise<T | undefined>;
}

/** Returns the id of the world that a call names, by a header or by what it was signed with; `undefined` for the default world. */
export function worldOfCall(
  worlds: Pick<WorldFinder<unknown>, 'worldOf'>,
  { headers, request, received: { authorization } }: Pick<Credentials, 'headers' | 'request' | 'received'>,
): string | undefined {
  const named = headers[WORLD_HEADER];
  if (typeof named === 'string') return named;
  const { oauth } = request;
  return worlds.worldOf(
    oauth === undefined ? (bearerToken(authorization) ?? basicCredentials(authorization)?.key) : oauth.consumerKey,
  );
}

/** Returns whether a call names its world, beside what it was signed with. */
export function isNamed({ headers }: Pick<Credentials, 'headers'>): boolean {
  return typeof headers[WORLD_HEADER] === 'string';
}

/** The same as {@link worldOfCall} for a request that is for no operation, by credentials that nobody looks at any further. */
export function worldOfRequest(
  worlds: Pick<WorldFinder<unknown>, 'worldOf'>,
  { headers, method = 'GET', url: target = '/' }: IncomingMessage,
): string | undefined {
  const { authorization } = headers;
  const received = { method, target, authorization };
  return worldOfCall(worlds, { headers, received, request: parseRequest(received) });
}

/** The rejection of a call that names a world which is not there. */
export function noSuchWorld(id: string): ApiError {
  return new ApiError({
    error: 'INVALID_PARAMETER',
    parameter: WORLD_HEADER,
    value: id,
    message: `This server has no world "${id.slice(0, 40)}"; \`broadside world list\` shows those that it has`,
  });
}
