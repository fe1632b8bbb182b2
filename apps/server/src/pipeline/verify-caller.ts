/**
 * Verifies credentials: an OAuth 1.0a signature of an app alone, of a request token or of a user's access token, HTTP Basic
 * with an app's keys, or a bearer token. An unknown key, a wrong secret, a token of another app and a wrong signature get the
 * same answer, in the same time.
 */
import { ApiError, type ErrorName, type Issue, type UploadOperation } from '@broadside/core';
import type { SignedRequest } from '@broadside/core/auth';
import type { NonceTurn } from '../auth/nonce-turn.ts';
import { SigningKey } from '../auth/signing-key.ts';
import { isLargeForm, verifyLargeSignature } from '../auth/verify-large-signature.ts';
import { NOBODY, verifyBodyHash, verifySignature } from '../auth/verify-signature.ts';
import { type Awaitable, chain } from '../awaitable.ts';
import type { SigningIdentity } from '../identity/signing-identities.ts';
import type { CountWith } from '../shared/shared-state.ts';
import type { World } from '../world/world.ts';
import type { AppCaller, Caller, RequestTokenCaller, UserCaller } from './caller.ts';
import { basicCredentials, bearerToken, type Credentials } from './credentials.ts';
import type { Mode } from './mode.ts';
import { readSigned } from './read-signed.ts';

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
  /** Uses up the nonce; false when it was used before, a turn where it has yet to be logged, a promise where other servers decide. */
  readonly consumeNonce: (
    world: World,
    signed: SignedRequest,
    counting?: () => CountWith | undefined,
  ) => boolean | NonceTurn | Promise<boolean>;
}

/** An answer that can wait for the nonce of its request, in place of the call. */
export interface Holder {
  /** The turn in which the nonce is logged. */
  turn: NonceTurn | undefined;
}

/** The checks of a server. */
export const realProofs: Proofs = {
  verifySignature,
  consumeNonce: ({ nonces, shared }, { oauth: { consumerKey, token, timestamp, nonce } }, counting) => {
    if (shared !== undefined) return shared.useNonce({ consumerKey, token }, timestamp, nonce, counting?.());
    return nonces.accept({ consumerKey, token }, timestamp, nonce);
  },
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
  const found = isReadable ? chain(world.shared?.freshen(), () => world.bearerTokens.appOf(token)) : undefined;
  return chain(found, (app) => {
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
  const signed = readSigned(authenticator, credentials, missing, 'sign it with OAuth 1.0a and a user access token');
  const { token } = signed.oauth;
  const { counting } = credentials;
  return accepted(authenticator, signed, { token, missing, holder, suspendedUser, counting }, (found) => {
    const user = found?.token;
    return chain(isProvedInTurns(authenticator, credentials, signed, user?.key), (isRight) =>
      isRight && found && user && token !== undefined ? userProof(found, user, token) : undefined,
    );
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
  readonly counting?: Credentials['counting'];
  /** Whether a user who is suspended may call: by default not. */
  readonly suspendedUser?: 'rejected' | 'accepted' | undefined;
}

/** Verifies a request with the identity that it names. Its proof is `undefined` when that failed. */
type Prove<Who extends Caller> = (found: SigningIdentity | undefined) => Awaitable<Proof<Who> | undefined>;

/** Finds the identity that signed, verifies the request, and uses its nonce up. */
function accepted<Who extends Caller>(
  authenticator: Authenticator,
  signed: SignedRequest,
  sought: Sought,
  prove: Prove<Who>,
): Awaitable<Who> {
  const { proofs, world } = authenticator;
  const { signing } = world.identity;
  const { consumerKey } = signed.oauth;
  const { token, holder, counting } = sought;
  return chain(signing.find(consumerKey, token), (found) =>
    chain(prove(found), (proof) =>
      chain(admitted(world, consumerKey, sought, proof), (caller) => {
        const count = counting && (() => (remembers(world, consumerKey, token, found) ? counting(caller) : undefined));
        const use = proofs.consumeNonce(world, signed, count);
        if (use === false) throw new ApiError(isKnownAsUsed(world, signed) ? USED_NONCE : FORGOTTEN_NONCE);
        if (use === true) return caller;
        if (use instanceof Promise) {
          return use.then((isNew) => {
            if (!isNew) throw new ApiError(USED_NONCE);
            return still(world, consumerKey, sought, found, caller, prove);
          });
        }
        if (!holder) return use.logged.then(() => caller);
        holder.turn = use;
        return caller;
      }),
    ),
  );
}

function remembers({ identity }: World, key: string, token: string | undefined, found?: SigningIdentity): boolean {
  return found !== undefined && identity.signing.remembers(key, token, found);
}

/**
 * Verifies a request again if the identity was not current: it can have been remembered, and what is remembered is known to be
 * current only now that the other servers have been asked.
 */
function still<Who extends Caller>(
  world: World,
  consumerKey: string,
  sought: Sought,
  before: SigningIdentity | undefined,
  caller: Who,
  prove: Prove<Who>,
): Awaitable<Who> {
  return chain(world.identity.signing.find(consumerKey, sought.token), (found) => {
    if (found === before) return caller;
    return chain(prove(found), (proof) => admitted(world, consumerKey, sought, proof));
  });
}

/** The caller of a proof, if it may call. A failure takes the same time whether or not the identity exists. */
function admitted<Who extends Caller>(
  { identity }: World,
  consumerKey: string,
  { token, missing, suspendedUser }: Sought,
  proof: Proof<Who> | undefined,
): Awaitable<Who> {
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
  const missing = 'BAD_AUTHENTICATION_DATA';
  const signed = readSigned(authenticator, credentials, missing, 'sign it with OAuth 1.0a and the keys of the app');
  const { token } = signed.oauth;
  if (token !== undefined) {
    throw new ApiError({
      error: 'BAD_AUTHENTICATION_DATA',
      parameter: 'oauth_token',
      message: 'A request token is asked for by the app alone: leave oauth_token out',
    });
  }
  return accepted(authenticator, signed, { token: undefined, missing }, (found) => {
    const isRight = isProved(authenticator, credentials, signed, found?.key);
    return isRight && found ? { found, caller: appCaller(found) } : undefined;
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
  const { requestTokens } = authenticator.world;
  const missing = 'BAD_AUTHENTICATION_DATA';
  const signed = readSigned(authenticator, credentials, missing, 'sign it with OAuth 1.0a and the request token');
  const { token } = signed.oauth;
  if (token === undefined) {
    throw new ApiError({
      error: 'BAD_AUTHENTICATION_DATA',
      parameter: 'oauth_token',
      message: 'oauth_token is missing',
    });
  }
  return accepted(authenticator, signed, { token: undefined, missing }, (found) =>
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
      return isRight && found && caller ? { found, caller } : undefined;
    }),
  );
}

/** The app whose keys come with HTTP Basic. */
export async function verifyBasic({ world }: Authenticator, { received }: Credentials): Promise<AppCaller> {
  const { authorization } = received;
  const basic = basicCredentials(authorization);
  await world.shared?.freshen();
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

function isKnownAsUsed({ nonces }: World, { oauth: { consumerKey, token, timestamp, nonce } }: SignedRequest): boolean {
  return nonces.isUsed({ consumerKey, token }, timestamp, nonce);
}

const FORGOTTEN_NONCE: Issue = {
  error: 'UNAUTHORIZED_ACCESS',
  message:
    'Whether a request of this time was received before is not known any more, since the clock was set back or the server has crashed: sign it again, some seconds later if that does not help',
  parameter: 'oauth_timestamp',
};

const USED_NONCE: Issue = {
  error: 'UNAUTHORIZED_ACCESS',
  message: 'The request was received before: each request needs a nonce of its own',
  parameter: 'oauth_nonce',
};

/** Whether the signature is right, also of a request whose body may be a form of megabytes. */
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
