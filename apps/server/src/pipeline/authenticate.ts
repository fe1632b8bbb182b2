/** Finds out who calls, by the proof that the kind of an operation asks for. */
import {
  type AnyOperation,
  ApiError,
  type AuthAccess,
  type ByKind,
  type CallableKind,
  dispatch,
  type ErrorName,
  type Issue,
} from '@broadside/core';
import { isSigned } from '@broadside/core/auth';
import { diagnose, type RejectedRequest } from '../auth/diagnose.ts';
import { type Awaitable, attempt, chain } from '../awaitable.ts';
import { equalSecrets } from '../world/secrets.ts';
import type { Caller } from './caller.ts';
import { bearerToken, type Credentials } from './credentials.ts';
import { isJsonAsForm, JSON_AS_FORM } from './json-as-form.ts';
import {
  type Authenticator,
  type Holder,
  isWrongCredentials,
  requireHttps,
  verifyApp,
  verifyBasic,
  verifyOwner,
  verifyReader,
  verifyRequestToken,
  verifyToken,
  verifyUploader,
  verifyUser,
} from './verify-caller.ts';

/**
 * Finds the caller of an operation.
 * @param holder given where the answer can wait for the nonce of the request, in place of the call
 * @throws ApiError 400 when the credentials are malformed, 401 or 403 when they are missing or wrong
 */
export type Verifier = (authenticator: Authenticator, credentials: Credentials, holder?: Holder) => Awaitable<Caller>;

/** Returns the verifier of an operation. In development mode its errors are explained. */
export function verifierOf(operation: AnyOperation): Verifier {
  const verify = dispatch(verifiers, operation);
  return (authenticator, credentials, holder) => {
    if (authenticator.mode !== 'development') return verify(authenticator, credentials, holder);
    return attempt(
      () => verify(authenticator, credentials, holder),
      async (error) => {
        throw error instanceof ApiError ? await explained(authenticator, operation, credentials, error) : error;
      },
    );
  };
}

/** The same error, with the diagnosis of the doctor. */
async function explained(
  { world, baseUrls }: Authenticator,
  operation: AnyOperation,
  credentials: Credentials,
  error: ApiError,
): Promise<ApiError> {
  const [first, ...others] = error.issues;
  const auth = isAboutSignature(first) ? dispatch(diagnosed, operation, credentials) : undefined;
  if (auth === undefined || isLarge(credentials)) return error;
  const { received, request, headers, baseUrl } = credentials;
  const asked = diagnose(world, {
    received,
    headers,
    oauth: request.oauth,
    baseUrl,
    otherBaseUrls: baseUrls().filter((url) => url !== baseUrl),
    auth,
    nonceUsed: first.parameter === 'oauth_nonce' && first.error === 'UNAUTHORIZED_ACCESS',
  });
  // A rejection remains one, even if the doctor itself fails.
  const diagnosis = await asked.catch(() => undefined);
  if (!diagnosis) return error;
  const found = diagnosis.findings.map(({ title, hint }) => `${title}. ${hint}`.replace(/\.$/, ''));
  if (isJsonAsForm(received)) found.unshift(JSON_AS_FORM);
  else if (found.length === 0 && isWrongCredentials(first)) found.push(MOST_LIKELY);
  const said = (first.message ?? error.message).replace(/\.$/, '');
  const message = [said, ...new Set(found)].join('. ');
  const explained = new ApiError({ ...first, message }, ...others);
  explained.diagnosis = diagnosis;
  return explained;
}

/** Said where the signature is made in the right way, of something that is not what was issued. */
const MOST_LIKELY =
  'Most likely a secret is wrong: compare the consumer secret and the token secret with those that were issued';

/**
 * Characters of a body that the doctor looks into: it makes many base strings of it, and a mistake in signing shows with a short
 * one too.
 */
const MAX_EXPLAINED = 50_000;

function isLarge({ received: { body = '' } }: Credentials): boolean {
  return body.length > MAX_EXPLAINED;
}

function isAboutSignature({ error, parameter = 'oauth_' }: Issue): boolean {
  const errors: readonly ErrorName[] = [
    'UNAUTHORIZED_ACCESS',
    'TIMESTAMP_OUT_OF_BOUNDS',
    'INVALID_TOKEN',
    'INVALID_PARAMETER',
    'BAD_AUTHENTICATION_DATA',
  ];
  return errors.includes(error) && parameter.startsWith('oauth_');
}

/** The signature that a request should have had, for the doctor; `undefined` where the request needed none. */
const diagnosed: ByKind<CallableKind, [Credentials], RejectedRequest['auth'] | undefined> = {
  ads: () => 'user',
  operator: () => undefined,
  control: () => undefined,
  auth: ({ access: { auth } }) => (auth === 'basic' ? undefined : auth === 'owner' ? 'access_token' : auth),
  // A bearer token is enough to read data, so the lack of a signature is not what is wrong with one.
  data: (_, { received }) => (bearerToken(received.authorization) === undefined ? 'user' : undefined),
  upload: () => 'user',
};

const verifiers: ByKind<CallableKind, [], Verifier> = {
  // The operator may call what users call.
  ads:
    ({ kind }) =>
    (authenticator, credentials, holder) =>
      isOperator(authenticator, credentials) ? OPERATOR : once(verifyUser, kind, authenticator, credentials, holder),
  operator: () => verifyOperator,
  control: () => verifyOperator,
  auth: ({ access: { auth } }) => {
    const verify = authVerifiers[auth];
    return (authenticator, credentials) => {
      requireHttps(authenticator, credentials);
      return verify(authenticator, credentials);
    };
  },
  data:
    ({ kind }) =>
    (authenticator, credentials, holder) =>
      once(verifyReader, kind, authenticator, credentials, holder),
  upload: (operation) => (authenticator, credentials) => verifyUploader(authenticator, operation, credentials),
};

const OPERATOR_ONLY =
  'Send the token of the operator, as Authorization: Bearer TOKEN. It is BROADSIDE_OPERATOR_TOKEN of the server, or in operator.token of its data directory';

function verifyOperator(authenticator: Authenticator, credentials: Credentials): Caller {
  if (isOperator(authenticator, credentials)) return OPERATOR;
  throw new ApiError({ error: 'UNAUTHORIZED_ACCESS', message: OPERATOR_ONLY });
}

type VerifyCaller = (authenticator: Authenticator, credentials: Credentials) => Awaitable<Caller>;
type HoldingVerify = (
  authenticator: Authenticator,
  credentials: Credentials,
  holder: Holder | undefined,
) => Awaitable<Caller>;

const authVerifiers: Readonly<Record<AuthAccess['auth'], VerifyCaller>> = {
  app: verifyApp,
  request_token: verifyRequestToken,
  access_token: (authenticator, credentials) =>
    verifyToken(authenticator, credentials, 'BAD_AUTHENTICATION_DATA', undefined, 'accepted'),
  basic: verifyBasic,
  owner: (authenticator, credentials) =>
    isSigned(credentials.request) ? verifyOwner(authenticator, credentials) : verifyBasic(authenticator, credentials),
};

const OPERATOR: Caller = { kind: 'operator' };

/** The operator's surface is closed unless a token was set, and never open to a signature. */
function isOperator({ operatorToken }: Authenticator, { received }: Credentials): boolean {
  const bearer = bearerToken(received.authorization);
  return operatorToken !== undefined && bearer !== undefined && equalSecrets(bearer, operatorToken);
}

/** Verifies credentials, those that several calls share only for the first of them. */
function once(
  verify: HoldingVerify,
  kind: CallableKind,
  authenticator: Authenticator,
  credentials: Credentials,
  holder: Holder | undefined,
): Awaitable<Caller> {
  const { shared } = credentials;
  if (!shared) return verify(authenticator, credentials, holder);
  const verified = shared.once(kind, () => verify(authenticator, credentials, shared));
  return chain(verified, (caller) => {
    const { turn } = shared;
    if (turn && !holder) return turn.logged.then(() => caller);
    if (holder) holder.turn = turn;
    return caller;
  });
}
