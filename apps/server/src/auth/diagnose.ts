/**
 * Explains a rejected request to the developer of the client. For development mode only: it discloses whether a key exists
 * and which secret was used, which production keeps to itself.
 */
import { createHmac } from 'node:crypto';
import type { AuthAccess } from '@broadside/core';
import type { Hmac, ReceivedRequest } from '@broadside/core/auth';
import { type AddressHeaders, type Explanation, explainSignature, type KnownFacts } from '@broadside/core/doctor';
import type { SigningIdentity } from '../identity/signing-identities.ts';
import type { World } from '../world/world.ts';
import { verifyBodyHash } from './verify-signature.ts';

/** A rejected request, and what is known about it. */
export interface RejectedRequest {
  readonly received: ReceivedRequest;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly oauth:
    | { readonly consumerKey: string; readonly token: string | undefined; readonly bodyHash: string | undefined }
    | undefined;
  readonly baseUrl: string;
  readonly otherBaseUrls: readonly string[];
  /** Secrets that should have signed the request. */
  readonly auth: AuthAccess['auth'] | 'user';
  readonly nonceUsed: boolean;
}

const hmac: Hmac = (algorithm, key, text) => createHmac(algorithm, key).update(text, 'latin1').digest('base64');

/** Explains why the signature of a request is wrong. The explanation never contains a secret. */
export async function diagnose(world: World, rejected: RejectedRequest): Promise<Explanation> {
  const { received, baseUrl, otherBaseUrls, oauth } = rejected;
  const { consumerKey, token } = oauth ?? { consumerKey: '', token: undefined };
  const identity = await world.identity.signing.find(consumerKey, token);
  const tokenSecret =
    rejected.auth === 'request_token' && identity && token !== undefined
      ? await world.requestTokens.secretOf(identity.app_id, token)
      : identity?.token?.secret;
  return explainSignature({
    request: received,
    headers: addressHeaders(rejected.headers),
    base: baseUrl,
    otherBases: otherBaseUrls,
    secrets: identity && { consumer: identity.consumer_secret, token: tokenSecret },
    otherSecrets: await world.identity.signing.secretsNear(identity?.app_id, token),
    nowSeconds: Math.floor(world.wallClock.now() / 1000),
    facts: {
      consumer: identity ? 'known' : 'unknown',
      token: await tokenFact(world, rejected, identity, tokenSecret !== undefined),
      nonceUsed: rejected.nonceUsed,
      bodyHashWrong: oauth?.bodyHash !== undefined && !verifyBodyHash(oauth.bodyHash, received.body ?? ''),
    },
    hmac,
  });
}

async function tokenFact(
  world: World,
  { auth, oauth }: RejectedRequest,
  identity: SigningIdentity | undefined,
  known: boolean,
): Promise<KnownFacts['token']> {
  const token = oauth?.token;
  if (!identity || auth === 'app') return undefined;
  if (token === undefined) return 'missing';
  if (identity.token?.revoked) return 'revoked';
  if (known) return 'known';
  return (await world.identity.signing.hasToken(token)) ? 'other_app' : 'unknown';
}

const names = ['host', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-forwarded-prefix'] as const;

function addressHeaders(headers: RejectedRequest['headers']): AddressHeaders {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
}
