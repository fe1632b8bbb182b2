import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authorizationHeader } from './authorization.ts';
import { coveredParameters } from './covered.ts';
import { isSigned, parseRequest, type ReceivedRequest } from './parse.ts';
import { formEncode, type Pair } from './percent.ts';
import { PARSE_LIMITS } from './places.ts';
import { codes, FORM, get, HEADER, OAUTH, PROTOCOL, protocol, SIGNED, sorted } from './testing/requests.ts';

describe('the source of credentials', () => {
  test('header: query and form are passed on unchanged', () => {
    const request = parseRequest({
      method: 'post',
      target: '/12/accounts?count=2&name=a+b&x',
      authorization: HEADER,
      contentType: FORM,
      body: 'a3=2+q&c2',
    });
    expect(request.problems).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: '/12/accounts', source: 'header', oauth: OAUTH });
    expect(request.query).toEqual([
      ['count', '2'],
      ['name', 'a b'],
      ['x', ''],
    ]);
    expect(request.form).toEqual([
      ['a3', '2 q'],
      ['c2', ''],
    ]);
    expect(sorted(coveredParameters(request.covered))).toEqual(sorted([...SIGNED, ...request.query, ...request.form]));
  });

  test('query: protocol parameters are removed from it, and signed', () => {
    const request = get(`/x?a=1&${formEncode(PROTOCOL)}&b=2`);
    expect(request).toMatchObject({ source: 'query', oauth: OAUTH, problems: [] });
    expect(request.query).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(sorted(coveredParameters(request.covered))).toEqual(sorted([...SIGNED, ['a', '1'], ['b', '2']]));
  });

  test('form body: protocol parameters are removed from it, and signed', () => {
    const request = parseRequest({
      method: 'POST',
      target: '/x?q=1',
      contentType: `${FORM}; charset=UTF-8`,
      body: `a=1&${formEncode(PROTOCOL)}`,
    });
    expect(request).toMatchObject({
      source: 'form',
      oauth: OAUTH,
      problems: [],
      form: [['a', '1']],
      query: [['q', '1']],
    });
    expect(sorted(coveredParameters(request.covered))).toEqual(sorted([...SIGNED, ['a', '1'], ['q', '1']]));
  });

  test.each([FORM, `${FORM};charset=UTF-8`, `${FORM} ; charset=iso-8859-1`, ` ${FORM.toUpperCase()}`])(
    'a body of type %j is a form',
    (contentType) => {
      expect(parseRequest({ method: 'POST', target: '/', contentType, body: 'a=1' }).form).toEqual([['a', '1']]);
    },
  );

  test.each(['application/json', `${FORM}x`, `text/plain; ${FORM}`, 'multipart/form-data; boundary=x', '', undefined])(
    'a body of type %j is ignored',
    (contentType) => {
      const request = parseRequest({
        method: 'POST',
        target: '/',
        contentType,
        authorization: HEADER,
        body: 'a=%&oauth_token=x',
      });
      expect(request).toMatchObject({ form: [], problems: [] });
      expect(sorted(coveredParameters(request.covered))).toEqual(sorted(SIGNED));
    },
  );

  test('none: an unsigned request has no problem, and keeps an oauth_token of its query', () => {
    const request = get('/oauth/authorize?oauth_token=abc&force_login=true');
    expect(request).toMatchObject({ oauth: undefined, source: undefined, problems: [] });
    expect(coveredParameters(request.covered)).toEqual([]);
    expect(request.query).toEqual([
      ['oauth_token', 'abc'],
      ['force_login', 'true'],
    ]);
    expect(isSigned(request)).toBe(false);
    expect(isSigned(get('/', 'Bearer abc'))).toBe(false);
    expect(isSigned(get('/', ''))).toBe(false);
    expect(isSigned(get('/', HEADER))).toBe(true);
  });

  test.each([
    ['header and query', { target: `/?${formEncode(PROTOCOL)}`, authorization: HEADER }],
    ['header and form', { target: '/', authorization: HEADER, contentType: FORM, body: formEncode(PROTOCOL) }],
    ['query and form', { target: '/?oauth_nonce=1', contentType: FORM, body: formEncode(PROTOCOL) }],
    ['a bearer token and query', { target: `/?${formEncode(PROTOCOL)}`, authorization: 'Bearer abc' }],
    [
      'a stray version',
      { target: '/?oauth_version=1.0', authorization: authorizationHeader(protocol({ oauth_version: undefined })) },
    ],
  ] satisfies [string, Omit<ReceivedRequest, 'method'>][])('credentials in two places are rejected: %s', (_, parts) => {
    const request = parseRequest({ method: 'POST', ...parts });
    expect(codes(request).filter((code) => code.startsWith('400 credentials_in_two_places'))).toHaveLength(1);
    expect(request.oauth).toBeUndefined();
  });

  test.each([
    ['oauth_verifier', 'verifier', 'hfdp7dh39dks9884'],
    ['oauth_callback', 'callback', 'https://app.example.com/cb?x1=1'],
    ['oauth_token', 'token', 'request-token'],
  ])('%s may be in the query or form while the header signs, and is not passed on', (name, field, value) => {
    const authorization = authorizationHeader(protocol({ oauth_token: undefined }));
    const pair: Pair = [name, value];
    const inQuery = get(`/oauth/x?a=1&${formEncode([pair])}`, authorization);
    const inForm = parseRequest({
      method: 'POST',
      target: '/',
      authorization,
      contentType: FORM,
      body: formEncode([pair]),
    });
    for (const request of [inQuery, inForm]) {
      expect(request.problems).toEqual([]);
      expect(request.oauth).toMatchObject({ [field]: value });
      expect(coveredParameters(request.covered)).toContainEqual(pair);
    }
    expect(inQuery.query).toEqual([['a', '1']]);
    expect(inForm.form).toEqual([]);
  });
});

describe('target, query and form', () => {
  test.each(['', 'x', '*', 'http://example.com/', '/a b', '/é', '/a#b', '/\u0000', '?a=1'])(
    'a target %j is malformed',
    (target) => {
      expect(codes(get(target, HEADER))).toEqual(['400 malformed_target']);
    },
  );

  test.each([
    ['/?a=%', '400 malformed_query'],
    ['/?%C3=1', '400 malformed_query'],
  ])('%s: %s, signed or not', (target, code) => {
    expect(codes(get(target))).toEqual([code]);
    expect(codes(get(target, HEADER))).toEqual([code]);
  });

  test('a form body that cannot be decoded', () => {
    expect(
      codes(parseRequest({ method: 'POST', target: '/', contentType: FORM, body: 'a=%zz', authorization: HEADER })),
    ).toEqual(['400 malformed_form']);
  });

  test('the path is kept as sent, and only the first ? divides', () => {
    expect(get('/a%2Fb/%7e//?x=?y&z')).toMatchObject({
      path: '/a%2Fb/%7e//',
      query: [
        ['x', '?y'],
        ['z', ''],
      ],
    });
    expect(get('/a?')).toMatchObject({ path: '/a', query: [], problems: [] });
  });
});

describe('bounds', () => {
  const many = formEncode(Array.from({ length: PARSE_LIMITS.parameters + 1 }, (_, index): Pair => [`p${index}`, '']));

  test('a header of the maximum length is read, one character more is not', () => {
    const room = PARSE_LIMITS.headerLength - HEADER.length - ', x=""'.length;
    expect(codes(get('/', `${HEADER}, x="${'y'.repeat(room)}"`))).toEqual([]);
    expect(codes(get('/', `${HEADER}, x="${'y'.repeat(room + 1)}"`))).toContain('400 header_too_long');
  });

  test('too many parameters, in each place', () => {
    expect(codes(get(`/?${many}`, HEADER))).toEqual(['400 too_many_parameters']);
    expect(
      codes(parseRequest({ method: 'POST', target: '/', contentType: FORM, body: many, authorization: HEADER })),
    ).toEqual(['400 too_many_parameters']);
    const limits = { ...PARSE_LIMITS, parameters: 6 };
    expect(codes(parseRequest({ method: 'GET', target: '/', authorization: HEADER }, limits))).toContain(
      '400 too_many_parameters',
    );
  });
});

describe('properties', () => {
  const unicode = fc.string({ unit: 'binary', maxLength: 12 });

  test('parsing reverses building a header', () => {
    const value = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    const realm = fc.option(fc.string({ maxLength: 12 }), { nil: undefined });
    fc.assert(
      fc.property(value, value, value, value, realm, (consumer, token, signature, callback, realmText) => {
        const pairs = protocol({
          oauth_consumer_key: consumer,
          oauth_token: token,
          oauth_signature: signature,
          oauth_callback: callback,
        });
        const request = get('/', authorizationHeader(pairs, realmText));
        expect(request.problems).toEqual([]);
        expect(request.oauth).toEqual({ ...OAUTH, consumerKey: consumer, token, signature, callback });
        expect(sorted(coveredParameters(request.covered))).toEqual(
          sorted(pairs.filter(([name]) => name !== 'oauth_signature')),
        );
      }),
      { seed: 4, numRuns: 1000 },
    );
  });

  test('no input makes it throw; credentials that it accepts are complete', () => {
    const scrap = fc.oneof(
      unicode,
      fc.constantFrom(
        'OAuth ',
        'oauth_token',
        'oauth_nonce',
        '="',
        '", ',
        '%',
        '%41',
        '%ff',
        '&',
        '=',
        '?',
        '/',
        '\\',
        '"',
        ',',
        '\uD800',
        'realm',
        HEADER,
        HEADER.slice(6),
        formEncode(PROTOCOL),
      ),
    );
    const text = fc.array(scrap, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const header = fc.oneof(
      fc.constant(HEADER),
      text,
      text.map((rest) => `OAuth ${rest}`),
      text.map((rest) => `${HEADER},${rest}`),
    );
    const input = fc.record({
      method: text,
      target: fc.oneof(
        fc.constant('/?a=1'),
        text,
        text.map((rest) => `/?${rest}`),
      ),
      authorization: fc.option(header, { nil: undefined }),
      contentType: fc.oneof(fc.constant(FORM), text),
      body: fc.option(text, { nil: undefined }),
    });
    let believed = 0;
    fc.assert(
      fc.property(input, (received) => {
        const request = parseRequest(received);
        for (const problem of request.problems) expect([400, 401]).toContain(problem.status);
        expect(isSigned(request)).toBe(request.source !== undefined && request.problems.length === 0);
        if (!isSigned(request)) return;
        believed += 1;
        for (const [name] of [...request.query, ...request.form]) expect(name.startsWith('oauth_')).toBe(false);
        expect(coveredParameters(request.covered).some(([name]) => name === 'oauth_signature')).toBe(false);
      }),
      { seed: 5, numRuns: 5000 },
    );
    // Otherwise the second half of the property would be untested.
    expect(believed).toBeGreaterThan(100);
  });
});
