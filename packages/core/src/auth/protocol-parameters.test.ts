import { describe, expect, test } from 'vitest';
import { authorizationHeader } from './authorization.ts';
import { coveredParameters } from './covered.ts';
import { parseRequest, type ReceivedRequest } from './parse.ts';
import { formEncode, type Pair } from './percent.ts';
import { codes, FORM, get, HEADER, OAUTH, PROTOCOL, protocol, sorted } from './testing/requests.ts';

describe('protocol parameters', () => {
  test.each<[Record<string, string | undefined>, string]>([
    [{ oauth_consumer_key: undefined }, '400 missing_parameter oauth_consumer_key'],
    [{ oauth_consumer_key: '' }, '400 missing_parameter oauth_consumer_key'],
    [{ oauth_nonce: undefined }, '400 missing_parameter oauth_nonce'],
    [{ oauth_nonce: '' }, '400 missing_parameter oauth_nonce'],
    [{ oauth_timestamp: undefined }, '400 missing_parameter oauth_timestamp'],
    [{ oauth_signature: undefined }, '400 missing_parameter oauth_signature'],
    [{ oauth_signature_method: undefined }, '400 missing_parameter oauth_signature_method'],
    [{ oauth_signature_method: 'PLAINTEXT' }, '400 unsupported_signature_method oauth_signature_method'],
    [{ oauth_signature_method: 'RSA-SHA1' }, '400 unsupported_signature_method oauth_signature_method'],
    [{ oauth_signature_method: 'hmac-sha1' }, '400 unsupported_signature_method oauth_signature_method'],
    [{ oauth_version: '2.0' }, '400 unsupported_version oauth_version'],
    [{ oauth_version: '' }, '400 unsupported_version oauth_version'],
    [{ oauth_timestamp: '1700000000.5' }, '400 malformed_timestamp oauth_timestamp'],
    [{ oauth_timestamp: '-5' }, '400 malformed_timestamp oauth_timestamp'],
    [{ oauth_nonce: 'a b' }, '401 invalid_nonce oauth_nonce'],
    [{ oauth_nonce: 'é' }, '401 invalid_nonce oauth_nonce'],
    [{ oauth_nonce: 'n'.repeat(257) }, '401 invalid_nonce oauth_nonce'],
    [{ oauth_secret: 'x' }, '400 unsupported_parameter'],
  ])('%j: %s, in every place', (changes, code) => {
    const pairs = protocol(changes);
    const received: ReceivedRequest[] = [
      { method: 'POST', target: '/', authorization: authorizationHeader(pairs) },
      { method: 'POST', target: `/?${formEncode(pairs)}` },
      { method: 'POST', target: '/', contentType: FORM, body: formEncode(pairs) },
    ];
    for (const one of received) {
      const request = parseRequest(one);
      expect(codes(request)).toEqual([code]);
      expect(request.oauth).toBeUndefined();
    }
  });

  test.each([
    [{ oauth_version: undefined }, {}],
    [{ oauth_token: undefined }, { token: undefined }],
    [{ oauth_token: '' }, { token: undefined }],
    [{ oauth_signature_method: 'HMAC-SHA256' }, { signatureMethod: 'HMAC-SHA256' }],
    [{ oauth_body_hash: 'Lve95gjOVATpfV8EL5X4nxwjKHE=' }, { bodyHash: 'Lve95gjOVATpfV8EL5X4nxwjKHE=' }],
    [{ oauth_callback: 'oob' }, { callback: 'oob' }],
  ])('%j is accepted', (changes, fields) => {
    const pairs = protocol(changes);
    const request = get('/', authorizationHeader(pairs));
    expect(request.problems).toEqual([]);
    expect(request.oauth).toEqual({ ...OAUTH, ...fields });
    expect(sorted(coveredParameters(request.covered))).toEqual(
      sorted(pairs.filter(([name]) => name !== 'oauth_signature')),
    );
  });

  test.each(PROTOCOL.map(([name]) => name))('%s twice is rejected, in one place and across places', (name) => {
    const again: Pair = [name, PROTOCOL.find(([other]) => other === name)?.[1] ?? ''];
    const duplicate = `400 duplicate_parameter ${name}`;
    expect(codes(get('/', authorizationHeader([...PROTOCOL, again])))).toEqual([duplicate]);
    expect(codes(get(`/?${formEncode([...PROTOCOL, again])}`))).toEqual([duplicate]);
    expect(codes(get(`/?${formEncode([again])}`, HEADER))).toContain(duplicate);
  });

  test('a form body may restate the token of the header, and no other', () => {
    const restating = (token: string) => {
      const body = formEncode([
        ['oauth_token', token],
        ['oauth_verifier', 'v'],
      ]);
      return parseRequest({ method: 'POST', target: '/', authorization: HEADER, contentType: FORM, body });
    };
    const token = OAUTH.token ?? '';
    expect(restating(token)).toMatchObject({ problems: [], oauth: { token, verifier: 'v' } });
    // It is signed once.
    expect(coveredParameters(restating(token).covered).filter(([name]) => name === 'oauth_token')).toEqual([
      ['oauth_token', token],
    ]);
    expect(codes(restating(`${token}x`))).toContain('400 duplicate_parameter oauth_token');
  });

  test('all problems are reported at once, and none repeats a value that was sent', () => {
    const request = get(
      '/',
      authorizationHeader(
        protocol({
          oauth_timestamp: 's3cret',
          oauth_nonce: 's3cret s3cret',
          oauth_s3cret: 'x',
          oauth_version: 's3cret',
        }),
      ),
    );
    expect(codes(request)).toEqual([
      '400 unsupported_parameter',
      '400 unsupported_version oauth_version',
      '400 malformed_timestamp oauth_timestamp',
      '401 invalid_nonce oauth_nonce',
    ]);
    expect(JSON.stringify(request.problems)).not.toContain('s3cret');
  });
});
