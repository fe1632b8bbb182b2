/** Signed requests of a demo's user, for tests of worlds. */
import { createHmac, randomBytes } from 'node:crypto';
import { signRequest } from '@broadside/core/auth';
import type { Credentials } from '../../demo/credentials.ts';

/** An answer of the platform. */
export interface SignedAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, of which each test looks at other members
  readonly body: any;
}

/** A request to the sandbox, signed with the credentials. */
export async function signedRequest(
  as: Credentials,
  method: string,
  target: string,
  form?: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly init: RequestInit }> {
  const url = `${as.ads_sandbox_base_url}${target}`;
  const { authorization } = await signRequest({
    method,
    url,
    ...(form ? { form: Object.entries(form) } : {}),
    credentials: {
      consumerKey: as.consumer_key,
      consumerSecret: as.consumer_secret,
      token: as.access_token,
      tokenSecret: as.access_token_secret,
    },
    nonce: randomBytes(12).toString('hex'),
    timestamp: Math.floor(Date.now() / 1000),
    hmac: (algorithm, key, base) => createHmac(algorithm, key).update(base).digest('base64'),
  });
  const init = { method, headers: { authorization }, ...(form ? { body: new URLSearchParams(form) } : {}) };
  return { url, init };
}

/** Sends a request to the sandbox, signed with the credentials. */
export async function signed(
  as: Credentials,
  method: string,
  target: string,
  form?: Readonly<Record<string, string>>,
): Promise<SignedAnswer> {
  const { url, init } = await signedRequest(as, method, target, form);
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
}

/** The names of the campaigns of the sandbox account, sorted. */
export async function campaignNames(as: Credentials): Promise<readonly string[]> {
  const { body } = await signed(as, 'GET', `/12/accounts/${as.sandbox_account_id}/campaigns`);
  return body.data.map(({ name }: { name: string }) => name).sort();
}

/** Creates a campaign in the sandbox account. */
export async function createCampaign(as: Credentials, name: string): Promise<SignedAnswer> {
  const account = `/12/accounts/${as.sandbox_account_id}`;
  const { body } = await signed(as, 'GET', `${account}/funding_instruments`);
  const funding_instrument_id = body.data[0].id;
  const daily_budget_amount_local_micro = '1000000';
  return signed(as, 'POST', `${account}/campaigns`, { name, funding_instrument_id, daily_budget_amount_local_micro });
}
