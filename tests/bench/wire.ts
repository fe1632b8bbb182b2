/** Signed requests as bytes on the wire. */
import { createHmac, randomBytes } from 'node:crypto';
import { type Hmac, signRequest } from '@broadside/core/auth';

/** Members of `credentials.json` that the bench needs. */
export interface Credentials {
  /** Of authentication, data retrieval and media. */
  readonly base_url: string;
  readonly ads_base_url: string;
  readonly consumer_key: string;
  readonly consumer_secret: string;
  readonly access_token: string;
  readonly access_token_secret: string;
  readonly account_id: string;
}

/** A request to the advertising interface. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly target: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: string;
}

const hmac: Hmac = (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64');

/** A request as it goes over the wire, signed with a nonce of its own. */
export async function wire(held: Credentials, { method, target, form, json }: Request): Promise<Buffer> {
  const { authorization } = await signRequest({
    method,
    url: held.ads_base_url + target,
    ...(form ? { form: Object.entries(form) } : {}),
    credentials: {
      consumerKey: held.consumer_key,
      consumerSecret: held.consumer_secret,
      token: held.access_token,
      tokenSecret: held.access_token_secret,
    },
    nonce: randomBytes(16).toString('hex'),
    timestamp: Math.floor(Date.now() / 1000),
    hmac,
  });
  const body = form ? new URLSearchParams(form).toString() : (json ?? '');
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `host: ${new URL(held.ads_base_url).host}`,
    `authorization: ${authorization}`,
    ...(body ? [`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
