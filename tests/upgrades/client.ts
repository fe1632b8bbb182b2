/** A client of a server of any version: requests that are signed with the credentials of its demo. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildRequest, type TestRequest } from '@broadside/testkit';
import { z } from 'zod';

/** The members of `credentials.json` that every version has. */
const credentialsSchema = z.object({
  base_url: z.string(),
  ads_base_url: z.string(),
  ads_sandbox_base_url: z.string(),
  consumer_key: z.string(),
  consumer_secret: z.string(),
  access_token: z.string(),
  access_token_secret: z.string(),
  bearer_token: z.string(),
  account_id: z.string(),
  sandbox_account_id: z.string(),
  screen_name: z.string(),
  user_id: z.string(),
  post_ids: z.array(z.string()),
});

/** Credentials of a demo. */
export type DemoCredentials = z.infer<typeof credentialsSchema>;

/** Reads the credentials in a data directory. */
export function credentialsIn(directory: string): DemoCredentials {
  return credentialsSchema.parse(JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8')));
}

/** The status and the body of an answer, the body as it was parsed. */
export interface Received {
  readonly status: number;
  readonly body: unknown;
}

const signing = {
  nowSeconds: () => Math.floor(Date.now() / 1000),
  nonce: () => randomBytes(12).toString('hex'),
};

/** Sends a signed request; on the first listener one with the bearer token of the app. */
export async function send(credentials: DemoCredentials, request: TestRequest): Promise<Received> {
  const { base_url, ads_base_url, ads_sandbox_base_url, bearer_token } = credentials;
  const { listener = 'sandbox' } = request;
  const origin = { api: base_url, ads: ads_base_url, sandbox: ads_sandbox_base_url }[listener];
  const signed =
    listener === 'api'
      ? { url: `${origin}${request.path}`, method: 'GET', headers: { authorization: `Bearer ${bearer_token}` } }
      : await buildRequest(request, { origin, user: credentials, signing });
  const { method, url, headers } = signed;
  const body = 'body' in signed && signed.body !== undefined ? { body: signed.body } : {};
  const response = await fetch(url, { method, headers, ...body });
  const text = await response.text();
  const isJson = `${response.headers.get('content-type')}`.includes('json');
  return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text };
}
