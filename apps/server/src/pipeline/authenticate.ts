/**
 * Finds out who calls: an OAuth 1.0a signature of a user's token, or the operator's token. An unknown key, a wrong secret,
 * a token of another app and a wrong signature are answered alike, in the same time.
 */
import { timingSafeEqual } from 'node:crypto';
import { ApiError, type Issue } from '@broadside/core';
import { type AuthProblem, checkTimestamp, isSigned, type ParsedRequest } from '@broadside/core/auth';
import { verifyBodyHash, verifySignature } from '../auth/verify-signature.ts';
import { tokenHash } from '../world/secrets.ts';
import type { World } from '../world/world.ts';
import type { Caller } from './context.ts';

/** What a request says about who sends it. */
export interface Credentials {
  /** The request, taken apart by the signature's rules. */
  readonly request: ParsedRequest;
  /** The public origin (and path prefix) under which the client reached this listener; the signature covers it. */
  readonly baseUrl: string;
  /** The token of an `Authorization: Bearer` header. */
  readonly bearer: string | undefined;
  /** The body's text, for requests that sign a hash of it. */
  readonly body: string | undefined;
  /** Given where one HTTP request carries several calls, which then share one proof. */
  readonly shared?: SharedProof;
}

/**
 * Who sent an HTTP request that carries several calls, found out once: its nonce is good for one use, and so the second
 * call would be refused as a replay.
 */
export class SharedProof {
  #caller: Promise<Caller> | undefined;

  once(prove: () => Promise<Caller>): Promise<Caller> {
    this.#caller ??= prove();
    return this.#caller;
  }
}

/** Reads the token of an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}

const WRONG_CREDENTIALS: Issue = {
  error: 'UNAUTHORIZED_ACCESS',
  message: 'The request is not authenticated: its signature or its credentials could not be verified',
};

function refusal(problem: AuthProblem): Issue {
  return {
    // RFC 5849 section 3.2: what is malformed is 400, what is wrong is 401.
    error: problem.status === 400 ? 'INVALID_PARAMETER' : 'UNAUTHORIZED_ACCESS',
    message: problem.message,
    ...(problem.parameter === undefined ? {} : { parameter: problem.parameter }),
  };
}

/**
 * The user who signed the request.
 * @throws ApiError 400 when the credentials are malformed, 401 when they are missing or wrong.
 */
export function authenticateUser(world: World, credentials: Credentials): Promise<Caller> {
  const { shared } = credentials;
  return shared ? shared.once(() => proveUser(world, credentials)) : proveUser(world, credentials);
}

async function proveUser(world: World, credentials: Credentials): Promise<Caller> {
  const { request, baseUrl } = credentials;
  const [problem, ...problems] = request.problems;
  if (problem) throw new ApiError(refusal(problem), ...problems.map(refusal));
  if (credentials.bearer !== undefined) {
    throw new ApiError({
      error: 'UNAUTHORIZED_ACCESS',
      message: 'A bearer token is not enough here: sign the request with OAuth 1.0a and a user access token',
    });
  }
  if (!isSigned(request)) {
    throw new ApiError({
      error: 'UNAUTHORIZED_ACCESS',
      message: 'The request is not authenticated: sign it with OAuth 1.0a and a user access token',
    });
  }
  const { consumerKey, token, timestamp, nonce, bodyHash } = request.oauth;
  const late = checkTimestamp(timestamp, Math.floor(world.wallClock.now() / 1000));
  if (late) throw new ApiError(refusal(late));
  const identity = await world.identity.signingIdentity(consumerKey, token);
  const user = identity?.token;
  const secrets = identity && user && { consumer: identity.consumer_secret, token: user.secret };
  const verified =
    verifySignature(request, baseUrl, secrets) &&
    (bodyHash === undefined || verifyBodyHash(bodyHash, credentials.body ?? ''));
  if (!verified || !identity || !user) throw new ApiError(WRONG_CREDENTIALS);
  // After the signature: only the holder of the secrets learns that a token was revoked or a nonce used.
  if (user.revoked) {
    throw new ApiError({ error: 'UNAUTHORIZED_ACCESS', message: 'The access token has been revoked' });
  }
  if (!world.nonces.consume({ consumerKey, token }, timestamp, nonce)) {
    throw new ApiError({
      error: 'UNAUTHORIZED_ACCESS',
      message: 'The request was received before: each request needs a nonce of its own',
      parameter: 'oauth_nonce',
    });
  }
  return {
    kind: 'user',
    user_id: user.user_id,
    screen_name: user.screen_name,
    app_id: identity.app_id,
    access_level: user.access_level,
  };
}

/** Whether a bearer token is the operator's. */
export function isOperatorToken(expected: string | undefined, bearer: string | undefined): boolean {
  if (expected === undefined || bearer === undefined) return false;
  // Hashes have one length, so neither the length nor a common prefix shows in the time.
  return timingSafeEqual(Buffer.from(tokenHash(bearer)), Buffer.from(tokenHash(expected)));
}
