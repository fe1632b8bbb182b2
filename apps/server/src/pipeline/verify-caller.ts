/**
 * Verifies credentials: an OAuth 1.0a signature of an app alone, of a request token or of a user's access token, HTTP Basic
 * with an app's keys, or a bearer token. An unknown key, a wrong secret, a token of another app and a wrong signature get the
 * same answer, in the same time.
 */
import { ApiError, type ErrorName, type Issue, type UploadOperation } from '@broadside/core';
import { type AuthProblem, checkTimestamp, isSigned, type SignedRequest } from '@broadside/core/auth';
import type { NonceTurn } from '../auth/nonce-turn.ts';
import { SigningKey } from '../auth/signing-key.ts';
import { isLargeForm, verifyLargeSignature } from '../auth/verify-large-signature.ts';
import { NOBODY, verifyBodyHash, verifySignature } from '../auth/verify-signature.ts';
import { type Awaitable, chain } from '../awaitable.ts';
import type { SigningIdentity } from '../identity/signing-identities.ts';
import type { World } from '../world/world.ts';
import type { AppCaller, Caller, RequestTokenCaller, UserCaller } from './caller.ts';
import { basicCredentials, bearerToken, type Credentials, type ForeignHost } from './credentials.ts';
import type { Mode } from './mode.ts';

/** Services used for authentication. */
export interface Authenticator {
  readonly world: World;
  readonly mode: Mode;
  /** The token that opens the operator's operations; `undefined` keeps them closed. */
  readonly operatorToken: string | undefined;
  /** Verification of credentials. A server uses the real one; only a benchmark of its cost replaces it. */
  readonly proofs: Proofs;
  /** The public base URLs of all listeners, once they are known: a client may have signed another than it called. */
  readonly baseUrls: () => readonly string[];
  /** The public base URL of the first port, for a client that reached a listener under this base URL. */
  readonly platformUrl: (reached: string) => string;
  /** The public base URL of a listener, for a client that reached one under this base URL; `undefined` where it is not known. */
  readonly listenerUrl: (listener: 'api' | 'ads' | 'sandbox', reached: string) => string | undefined;
}

/** The two checks of each signed request. */
export interface Proofs {
  readonly verifySignature: typeof verifySignature;
  /** Uses up the nonce; false when it was used before, a turn where it has yet to be logged. */
  readonly consumeNonce: (world: World, signed: SignedRequest) => boolean | NonceTurn;
}

/** An answer that can wait for the nonce of its request, in place of the call. */
export interface Holder {
  /** The turn in which the nonce is logged. */
  turn: NonceTurn | undefined;
}

/** The checks of a server. */
export const realProofs: Proofs = {
  verifySignature,
  consumeNonce: ({ nonces }, { oauth: { consumerKey, token, timestamp, nonce } }) =>
    nonces.accept({ consumerKey, token }, timestamp, nonce),
};

/** The caller of data retrieval: an app by its bearer token, or a user by a signature (specification A, Authentication 2). */
export function verifyReader(
  authenticator: Authenticator,
  credentials: Credentials,
  holder: Holder | undefined,
): Awaitable<Caller> {
  const { world } = authenticator;
  const token = bearerToken(credentials.received.authorization);
  if (token === undefined) return verifyToken(authenticator, credentials, 'UNAUTHORIZED_ACCESS', holder);
  const isReadable = credentials.request.problems.length === 0;
  return chain(isReadable ? world.bearerTokens.appOf(token) : undefined, (app) => {
    if (!app) throw new ApiError({ error: 'UNAUTHORIZED_ACCESS', message: 'The bearer token is not valid' });
    if (app.suspended) throw new ApiError(suspended('UNAUTHORIZED_ACCESS', app));
    return appCaller(app);
  });
}

/** The caller of an upload: a user by a signature. An app's bearer token identifies no user (reference, auth section 5). */
export function verifyUploader(
  authenticator: Authenticator,
  { version }: UploadOperation,
  credentials: Credentials,
): Awaitable<Caller> {
  const isNumbered = version === '1.1';
  const token = bearerToken(credentials.received.authorization);
  if (token === undefined) {
    return verifyToken(authenticator, credentials, isNumbered ? 'BAD_AUTHENTICATION_DATA' : 'UNAUTHORIZED_ACCESS');
  }
  return chain(authenticator.world.bearerTokens.appOf(token), (app) => {
    if (app) throw new ApiError('UNSUPPORTED_AUTHENTICATION');
    throw new ApiError(isNumbered ? 'INVALID_TOKEN' : 'UNAUTHORIZED_ACCESS');
  });
}

/** Authentication needs HTTPS (specification A, Authentication 1), except on the loopback interface. */
export function requireHttps({ mode }: Authenticator, { baseUrl }: Credentials): void {
  if (mode === 'development' || isConfidential(baseUrl)) return;
  throw new ApiError({
    error: 'BAD_AUTHENTICATION_DATA',
    message: 'Authentication needs HTTPS; the server learns its public address from BROADSIDE_BASE_URL',
  });
}

/** Returns whether requests to an address cannot be intercepted. */
export function isConfidential(baseUrl: string): boolean {
  return /^(?:https:\/\/|http:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)(?::|\/|$))/i.test(baseUrl);
}

/** The user who signed a request to the advertising interface. */
export function verifyUser(
  authenticator: Authenticator,
  credentials: Credentials,
  holder: Holder | undefined,
): Awaitable<UserCaller> {
  if (credentials.request.problems.length === 0 && bearerToken(credentials.received.authorization) !== undefined) {
    throw new ApiError({
      error: 'UNAUTHORIZED_ACCESS',
      message: 'A bearer token is not enough here: sign the request with OAuth 1.0a and a user access token',
    });
  }
  return verifyToken(authenticator, credentials, 'UNAUTHORIZED_ACCESS', holder);
}

/**
 * @param holder of an answer that can wait for the nonce; without one, the caller is not known before it is logged
 * @param suspendedUser accepted where access is ended, which suspended users may do too
 */
export function verifyToken(
  authenticator: Authenticator,
  credentials: Credentials,
  missing: ErrorName,
  holder?: Holder,
  suspendedUser: 'rejected' | 'accepted' = 'rejected',
): Awaitable<UserCaller> {
  const { identity } = authenticator.world;
  const signed = readSigned(authenticator, credentials, missing, 'sign it with OAuth 1.0a and a user access token');
  const { consumerKey, token } = signed.oauth;
  return chain(identity.signing.find(consumerKey, token), (found) => {
    const user = found?.token;
    return chain(isProvedInTurns(authenticator, credentials, signed, user?.key), (isRight) => {
      const proof = isRight && found && user && token !== undefined ? userProof(found, user, token) : undefined;
      return accepted(authenticator, signed, { token, missing, holder, suspendedUser }, proof);
    });
  });
}

function userProof(
  found: SigningIdentity,
  { user_id, screen_name, access_level }: NonNullable<SigningIdentity['token']>,
  access_token: string,
): Proof<UserCaller> {
  const { app_id } = found;
  return { found, caller: { kind: 'user', user_id, screen_name, app_id, access_level, access_token } };
}

/** An identity that signed, and the caller that it is. */
interface Proof<Who extends Caller> {
  readonly found: SigningIdentity;
  readonly caller: Who;
}

/** The identity that was looked up, and the operation's error for a request that fails authentication. */
interface Sought {
  readonly token: string | undefined;
  readonly missing: ErrorName;
  readonly holder?: Holder | undefined;
  /** Whether a user who is suspended may call: by default not. */
  readonly suspendedUser?: 'rejected' | 'accepted' | undefined;
}

/**
 * Common end of signature verification. A failure takes the same time whether or not the identity exists.
 * @param proof `undefined` when it failed
 */
function accepted<Who extends Caller>(
  authenticator: Authenticator,
  signed: SignedRequest,
  { token, missing, holder, suspendedUser }: Sought,
  proof: Proof<Who> | undefined,
): Awaitable<Who> {
  const { identity } = authenticator.world;
  const { consumerKey } = signed.oauth;
  if (!proof) {
    return chain(identity.signing.evenOut(consumerKey, token), () => {
      throw new ApiError(WRONG_CREDENTIALS);
    });
  }
  const { found, caller } = proof;
  identity.signing.remember(consumerKey, token, found);
  // After the signature: only the holder of the secrets learns that a token was revoked, an app suspended or a nonce used.
  if (found.token?.revoked) {
    throw new ApiError({ error: 'INVALID_TOKEN', message: 'Invalid or expired token: it was revoked' });
  }
  if (found.suspended) throw new ApiError(suspended(missing, found));
  if (suspendedUser === 'rejected' && found.token?.suspended) throw new ApiError('CURRENT_USER_SUSPENDED');
  const use = authenticator.proofs.consumeNonce(authenticator.world, signed);
  if (use === false) throw new ApiError(USED_NONCE);
  if (use === true) return caller;
  if (!holder) return use.logged.then(() => caller);
  holder.turn = use;
  return caller;
}

/** The advertising interface has a word of its own for apps that may not use it (reference, auth section 7). */
function suspended(missing: ErrorName, { app_id }: Pick<SigningIdentity, 'app_id'>): Issue {
  if (missing === 'BAD_AUTHENTICATION_DATA') return { error: 'APP_SUSPENDED' };
  const message = `The client application ${app_id} is suspended`;
  return { error: 'UNAUTHORIZED_CLIENT_APPLICATION', value: app_id, message };
}

/** The app that signed a request for itself. */
export function verifyApp(authenticator: Authenticator, credentials: Credentials): Awaitable<AppCaller> {
  const { identity } = authenticator.world;
  const missing = 'BAD_AUTHENTICATION_DATA';
  const signed = readSigned(authenticator, credentials, missing, 'sign it with OAuth 1.0a and the keys of the app');
  const { consumerKey, token } = signed.oauth;
  if (token !== undefined) {
    throw new ApiError({
      error: 'BAD_AUTHENTICATION_DATA',
      parameter: 'oauth_token',
      message: 'A request token is asked for by the app alone: leave oauth_token out',
    });
  }
  return chain(identity.signing.find(consumerKey, undefined), (found) => {
    const isRight = isProved(authenticator, credentials, signed, found?.key);
    const proof = isRight && found ? { found, caller: appCaller(found) } : undefined;
    return accepted(authenticator, signed, { token: undefined, missing }, proof);
  });
}

function appCaller({ app_id }: { readonly app_id: string }): AppCaller {
  return { kind: 'app', app_id };
}

/** The app that signed a request with one of its request tokens. */
export function verifyRequestToken(
  authenticator: Authenticator,
  credentials: Credentials,
): Awaitable<RequestTokenCaller> {
  const { identity, requestTokens } = authenticator.world;
  const missing = 'BAD_AUTHENTICATION_DATA';
  const signed = readSigned(authenticator, credentials, missing, 'sign it with OAuth 1.0a and the request token');
  const { consumerKey, token } = signed.oauth;
  if (token === undefined) {
    throw new ApiError({
      error: 'BAD_AUTHENTICATION_DATA',
      parameter: 'oauth_token',
      message: 'oauth_token is missing',
    });
  }
  return chain(identity.signing.find(consumerKey, undefined), (found) =>
    chain(requestTokens.secretOf(found?.app_id ?? '', token), (secret) => {
      const consumer = found?.consumer_secret;
      const isKnown = consumer !== undefined && secret !== undefined;
      // Made for unknown ones too, which takes the same time.
      const key = new SigningKey(isKnown ? { consumer, token: secret } : NOBODY);
      // At least the app's own signature is required; the verifier authenticates the rest (reference, auth section 7).
      const isRight =
        isProved(authenticator, credentials, signed, isKnown ? key : undefined) ||
        isProved(authenticator, credentials, signed, isKnown ? found?.key : undefined);
      const caller = found && ({ kind: 'request_token', app_id: found.app_id, request_token: token } as const);
      const proof = isRight && found && caller ? { found, caller } : undefined;
      return accepted(authenticator, signed, { token: undefined, missing }, proof);
    }),
  );
}

/** The app whose keys come with HTTP Basic. */
export async function verifyBasic({ world }: Authenticator, { received }: Credentials): Promise<AppCaller> {
  const { authorization } = received;
  const basic = basicCredentials(authorization);
  const found = basic && (await world.identity.signing.verifyApp(basic.key, basic.secret));
  if (!found || found.suspended) {
    const details =
      authorization === undefined ? 'HTTP Basic with the key and the secret of the app is missing' : undefined;
    throw new ApiError({ error: 'UNVERIFIED_CREDENTIALS', ...(details === undefined ? {} : { details }) });
  }
  return { kind: 'app', app_id: found.app_id };
}

/** The app whose owner signed (specification A, Authentication 3). */
export async function verifyOwner(authenticator: Authenticator, credentials: Credentials): Promise<AppCaller> {
  const { app_id, user_id } = await verifyToken(
    authenticator,
    credentials,
    'BAD_AUTHENTICATION_DATA',
    undefined,
    'accepted',
  );
  const app = await authenticator.world.identity.apps.get(app_id);
  if (app?.owner_user_id === user_id) return { kind: 'app', app_id };
  throw new ApiError({
    error: 'UNVERIFIED_CREDENTIALS',
    details: 'the access token is not that of the owner of the app',
  });
}

const WRONG_CREDENTIALS: Issue = {
  error: 'UNAUTHORIZED_ACCESS',
  message: 'The request is not authenticated: its signature or its credentials could not be verified',
};

/** Returns whether an error says no more than that credentials could not be verified. */
export function isWrongCredentials(issue: Issue): boolean {
  return issue.message === WRONG_CREDENTIALS.message;
}

const USED_NONCE: Issue = {
  error: 'UNAUTHORIZED_ACCESS',
  message: 'The request was received before: each request needs a nonce of its own',
  parameter: 'oauth_nonce',
};

function refusal(problem: AuthProblem): Issue {
  const { code, status, message, parameter } = problem;
  return {
    // RFC 5849 section 3.2: what is malformed is 400, what is wrong is 401.
    error:
      status === 400
        ? 'INVALID_PARAMETER'
        : code === 'timestamp_out_of_window'
          ? 'TIMESTAMP_OUT_OF_BOUNDS'
          : 'UNAUTHORIZED_ACCESS',
    message,
    ...(parameter === undefined ? {} : { parameter }),
  };
}

function wrongHost(host: string | string[] | undefined, { setting }: ForeignHost): Issue {
  const named = `${host ?? ''}`.slice(0, 100);
  return {
    error: 'UNAUTHORIZED_ACCESS',
    parameter: 'host',
    message: `The request is signed for "${named}", which is not an address of this listener. If clients reach it there, through a proxy or a published port, start the server with ${setting}=http://${named} (or https)`,
  };
}

/** The request, if it is signed for this listener and not too old. @throws ApiError */
function readSigned(
  { world }: Authenticator,
  { request, headers, foreignHost }: Credentials,
  missing: ErrorName,
  how: string,
): SignedRequest {
  const [problem, ...problems] = request.problems;
  if (problem) throw new ApiError(refusal(problem), ...problems.map(refusal));
  if (!isSigned(request)) {
    throw new ApiError({ error: missing, message: `The request is not authenticated: ${how}` });
  }
  const late = checkTimestamp(request.oauth.timestamp, Math.floor(world.wallClock.now() / 1000));
  if (late) throw new ApiError(refusal(late));
  if (foreignHost) throw new ApiError(wrongHost(headers['host'], foreignHost));
  return request;
}

/** The same for requests whose body may be a form of megabytes. */
function isProvedInTurns(
  authenticator: Authenticator,
  credentials: Credentials,
  signed: SignedRequest,
  key: SigningKey | undefined,
): Awaitable<boolean> {
  const { received, baseUrl } = credentials;
  if (!isLargeForm(received)) return isProved(authenticator, credentials, signed, key);
  const { bodyHash } = signed.oauth;
  return chain(
    verifyLargeSignature(signed, baseUrl, key),
    (isRight) => isRight && (bodyHash === undefined || verifyBodyHash(bodyHash, received.body ?? '')),
  );
}

function isProved(
  { proofs }: Authenticator,
  { baseUrl, received, streamed }: Credentials,
  signed: SignedRequest,
  key: SigningKey | undefined,
): boolean {
  const { bodyHash } = signed.oauth;
  return (
    proofs.verifySignature(signed, baseUrl, key) &&
    (bodyHash === undefined || streamed === true || verifyBodyHash(bodyHash, received.body ?? ''))
  );
}
