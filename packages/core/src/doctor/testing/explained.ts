/** A plain request, and the doctor's explanation of it. */
import { type Explanation, explainSignature } from '../explain.ts';
import { MISTAKES, type MistakeName } from '../mistakes.ts';
import { digestOf, FORM, NOW, type Plan, rightKey } from './client.ts';
import { type Case, received } from './mistaken-client.ts';
import { nodeHmac } from './node-hmac.ts';
import { Random } from './random.ts';

/** The names of all mistakes. */
export const names = Object.keys(MISTAKES).filter((name): name is MistakeName => name in MISTAKES);

export function explain(made: Case): Promise<Explanation> {
  return explainSignature({ ...made, hmac: nodeHmac });
}

export function ids({ findings }: Explanation): MistakeName[] {
  return findings.map(({ mistake }) => mistake);
}

/** A plain request with all parts. */
export const PLAN: Plan = {
  method: 'POST',
  scheme: 'https',
  host: 'ads.example.com',
  port: '',
  prefix: '',
  path: '/12/accounts/18ce54d4x5t/campaigns',
  query: [['name', 'Ladies + Gentlemen, 50% off!']],
  form: [['count', '2']],
  body: undefined,
  contentType: FORM,
  place: 'header',
  protocol: [
    ['oauth_consumer_key', 'ck_0123456789abcdef'],
    ['oauth_nonce', 'n0nceABC123'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(NOW)],
    ['oauth_token', '370773112-AccessTokenValue'],
    ['oauth_version', '1.0'],
  ],
  realm: undefined,
  secrets: { consumer: 'cs_secret/Value', token: 'ts_secret&Value' },
  headers: {},
  otherBases: [],
};

export function signedAs(plan: Plan, text: string, key = rightKey(plan)): Case {
  return received(plan, nodeHmac(digestOf(plan), key, text), new Random(1));
}
