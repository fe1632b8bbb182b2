import { createHash, createHmac } from 'node:crypto';
import { type Hmac, isSigned, type Pair, parseRequest, type SignedRequest, signRequest } from '@broadside/core/auth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SigningKey } from './signing-key.ts';
import { verifyBodyHash, verifySignature } from './verify-signature.ts';

const ORIGIN = 'https://ads.example.com';
const TARGET = '/12/accounts/18ce54d4x5t/campaigns?name=a%20b&count=2';
const SECRETS = { consumer: 'cs_secret/Value', token: 'ts_secret&Value' };
const KEY = new SigningKey(SECRETS);
const hmac: Hmac = (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64');

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly form: string;
}

async function signature(signatureMethod: 'HMAC-SHA1' | 'HMAC-SHA256' = 'HMAC-SHA1'): Promise<readonly Pair[]> {
  const signed = await signRequest({
    method: 'POST',
    url: ORIGIN + TARGET,
    form: [['a', '1']],
    credentials: { consumerKey: 'ck', consumerSecret: SECRETS.consumer, token: '12-tok', tokenSecret: SECRETS.token },
    nonce: 'n0nce',
    timestamp: 1_700_000_000,
    hmac,
    signatureMethod,
  });
  return signed.parameters;
}

/** The signed request as received by the server, with parts and protocol parameters replaced. */
function received(
  parameters: readonly Pair[],
  parts: Partial<Parts> = {},
  oauth: Record<string, string> = {},
): SignedRequest {
  const pairs = parameters.map(([name, value]) => `${name}="${encodeURIComponent(oauth[name] ?? value)}"`);
  const request = parseRequest({
    method: parts.method ?? 'POST',
    target: parts.target ?? TARGET,
    contentType: 'application/x-www-form-urlencoded',
    body: parts.form ?? 'a=1',
    authorization: `OAuth ${pairs.join(', ')}`,
  });
  if (!isSigned(request)) throw new Error(JSON.stringify(request.problems));
  return request;
}

describe.each(['HMAC-SHA1', 'HMAC-SHA256'] as const)('verifySignature, %s', (signatureMethod) => {
  test('accepts a signed request, also at the default port and with different case of the host', async () => {
    const request = received(await signature(signatureMethod));
    for (const origin of [ORIGIN, 'https://ADS.example.com:443']) {
      expect(verifySignature(request, origin, KEY)).toBe(true);
    }
  });

  test.each<[string, Partial<Parts>, Record<string, string>]>([
    ['method', { method: 'PUT' }, {}],
    ['path', { target: TARGET.replace('18ce54d4x5t', '18ce54d4x5u') }, {}],
    ['trailing slash', { target: TARGET.replace('?', '/?') }, {}],
    ['query value', { target: TARGET.replace('count=2', 'count=3') }, {}],
    ['parameter added to the query', { target: `${TARGET}&x` }, {}],
    ['parameter taken from the query', { target: TARGET.replace('&count=2', '') }, {}],
    ['form value', { form: 'a=2' }, {}],
    ['parameter added to the form', { form: 'a=1&a=' }, {}],
    ['consumer key', {}, { oauth_consumer_key: 'other' }],
    ['token', {}, { oauth_token: '12-other' }],
    ['nonce', {}, { oauth_nonce: 'other' }],
    ['timestamp', {}, { oauth_timestamp: '1700000001' }],
  ])('does not believe another %s', async (_, parts, oauth) => {
    expect(verifySignature(received(await signature(signatureMethod), parts, oauth), ORIGIN, KEY)).toBe(false);
  });

  test.each([
    ['scheme', 'http://ads.example.com'],
    ['port', 'https://ads.example.com:8443'],
    ['host', 'https://ads-sandbox.example.com'],
  ])('does not believe it at another %s', async (_, origin) => {
    expect(verifySignature(received(await signature(signatureMethod)), origin, KEY)).toBe(false);
  });

  test.each([
    { consumer: 'wrong', token: SECRETS.token },
    { consumer: SECRETS.consumer, token: 'wrong' },
    { consumer: SECRETS.consumer, token: undefined },
    { consumer: SECRETS.token, token: SECRETS.consumer },
    { consumer: '', token: '' },
  ])('does not believe other secrets: %j', async (secrets) => {
    expect(verifySignature(received(await signature(signatureMethod)), ORIGIN, new SigningKey(secrets))).toBe(false);
  });

  test('a signature that is not canonical base64 of the right length is simply invalid', async () => {
    const parameters = await signature(signatureMethod);
    const right = parameters.find(([name]) => name === 'oauth_signature')?.[1] ?? '';
    const believed = (text: string) =>
      verifySignature(received(parameters, {}, { oauth_signature: text }), ORIGIN, KEY);
    expect(believed(right)).toBe(true);
    const variants = [
      right.slice(0, -1),
      right.slice(1),
      `${right}=`,
      `${right}${right}`,
      ` ${right}`,
      `${right}\n`,
      // Node's decoder skips these, or reads them as + and /.
      `${right.slice(0, 4)}!${right.slice(4)}`,
      right.replaceAll('+', '-').replaceAll('/', '_').replace('=', ''),
      right.slice(0, 5) + String.fromCharCode(right.charCodeAt(5) + 256) + right.slice(6),
      `=${right.slice(1)}`,
      '=',
      'é'.repeat(28),
    ];
    for (const variant of variants) expect(believed(variant), JSON.stringify(variant)).toBe(false);
  });

  test('a signature with any bit changed is rejected', async () => {
    const parameters = await signature(signatureMethod);
    const bytes = Buffer.from(parameters.find(([name]) => name === 'oauth_signature')?.[1] ?? '', 'base64');
    expect(bytes).toHaveLength(signatureMethod === 'HMAC-SHA1' ? 20 : 32);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const request = received(parameters, {}, { oauth_signature: changed.toString('base64') });
      expect(verifySignature(request, ORIGIN, KEY)).toBe(false);
    }
  });
});

test('unknown credentials are rejected, even when signed with the placeholder secrets', async () => {
  const zeros = '0'.repeat(45);
  const { parameters } = await signRequest({
    method: 'GET',
    url: `${ORIGIN}/x`,
    credentials: { consumerKey: 'unknown', consumerSecret: zeros, token: 'unknown', tokenSecret: zeros },
    nonce: 'n',
    timestamp: 1,
    hmac,
  });
  const request = received(parameters, { method: 'GET', target: '/x', form: '' });
  expect(verifySignature(request, ORIGIN, new SigningKey({ consumer: zeros, token: zeros }))).toBe(true);
  expect(verifySignature(request, ORIGIN, undefined)).toBe(false);
});

test('the path prefix that a reverse proxy strips is signed', async () => {
  const { parameters } = await signRequest({
    method: 'GET',
    url: 'https://example.com/Ads/12/accounts',
    credentials: { consumerKey: 'ck', consumerSecret: SECRETS.consumer, token: 't', tokenSecret: SECRETS.token },
    nonce: 'n',
    timestamp: 1,
    hmac,
  });
  const request = received(parameters, { method: 'GET', target: '/12/accounts', form: '' });
  const believed = (base: string) => verifySignature(request, base, KEY);
  expect(['https://Example.com/Ads', 'https://example.com/Ads/'].map(believed)).toEqual([true, true]);
  expect(['https://example.com', 'https://example.com/ads', 'https://example.com/Ads/x'].map(believed)).toEqual([
    false,
    false,
    false,
  ]);
});

test('under an invalid base every request is rejected, even one signed for the placeholder', async () => {
  const { parameters } = await signRequest({
    method: 'GET',
    url: 'http://invalid/x',
    credentials: { consumerKey: 'ck', consumerSecret: SECRETS.consumer, token: 't', tokenSecret: SECRETS.token },
    nonce: 'n',
    timestamp: 1,
    hmac,
  });
  const request = received(parameters, { method: 'GET', target: '/x', form: '' });
  expect(verifySignature(request, 'http://invalid', KEY)).toBe(true);
  for (const base of ['http://', 'http://a b', 'http://a:x', ''])
    expect(verifySignature(request, base, KEY)).toBe(false);
});

test('a request that was tampered with anywhere is rejected', async () => {
  const parameters = await signature();
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '1', '=', '&', '%20', '+', '%26'), maxLength: 12 });
  fc.assert(
    fc.property(piece, piece, (query, form) => {
      const request = received(parameters, { target: `/12/accounts/18ce54d4x5t/campaigns?${query}`, form });
      expect(verifySignature(request, ORIGIN, KEY)).toBe(false);
    }),
    { seed: 6, numRuns: 1000 },
  );
});

describe('verifyBodyHash', () => {
  const body = '{"name":"é"}';
  const sha1 = createHash('sha1').update(body).digest('base64');
  const sha256 = createHash('sha256').update(body).digest('base64');

  test('covers the bytes of the body', () => {
    // The draft's own example, and the hash of an empty body.
    expect(verifyBodyHash('Lve95gjOVATpfV8EL5X4nxwjKHE=', 'Hello World!')).toBe(true);
    expect(verifyBodyHash('2jmj7l5rSw0yVb/vlWAYkK/YBwk=', '')).toBe(true);
    for (const hash of [sha1, sha256]) {
      expect(verifyBodyHash(hash, body)).toBe(true);
      expect(verifyBodyHash(hash, Buffer.from(body))).toBe(true);
      expect(verifyBodyHash(hash, `${body} `)).toBe(false);
    }
  });

  test.each(['', '=', sha1.slice(1), `${sha1}=`, sha256.slice(0, 28), sha256.slice(1)])(
    '%j is no hash of it',
    (hash) => {
      expect(verifyBodyHash(hash, body)).toBe(false);
    },
  );
});
