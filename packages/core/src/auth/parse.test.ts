import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authorizationHeader } from './authorization.ts';
import { isSigned, PARSE_LIMITS, type ParsedRequest, parseRequest, type ReceivedRequest } from './parse.ts';
import { formEncode, type Pair } from './percent.ts';

const FORM = 'application/x-www-form-urlencoded';

const PROTOCOL: readonly Pair[] = [
  ['oauth_consumer_key', 'ck'],
  ['oauth_nonce', 'n0nce+/='],
  ['oauth_signature', 'niD0xXlaij4+ykcRYhV/JD/3J3M='],
  ['oauth_signature_method', 'HMAC-SHA1'],
  ['oauth_timestamp', '1700000000'],
  ['oauth_token', '12-tok'],
  ['oauth_version', '1.0'],
];
const SIGNED: readonly Pair[] = PROTOCOL.filter(([name]) => name !== 'oauth_signature');
const HEADER = authorizationHeader(PROTOCOL);
const OAUTH = {
  consumerKey: 'ck',
  token: '12-tok',
  signature: 'niD0xXlaij4+ykcRYhV/JD/3J3M=',
  signatureMethod: 'HMAC-SHA1',
  timestamp: 1_700_000_000,
  nonce: 'n0nce+/=',
  callback: undefined,
  verifier: undefined,
  bodyHash: undefined,
};

function get(target: string, authorization?: string): ParsedRequest {
  return parseRequest({ method: 'GET', target, authorization });
}

function codes(request: ParsedRequest): string[] {
  return request.problems.map((problem) => `${problem.status} ${problem.code} ${problem.parameter ?? ''}`.trim());
}

/** The protocol parameters with some replaced, left out (`undefined`) or added. */
function protocol(changes: Record<string, string | undefined>): Pair[] {
  const values = new Map<string, string | undefined>([...PROTOCOL, ...Object.entries(changes)]);
  return [...values].flatMap(([name, value]): Pair[] => (value === undefined ? [] : [[name, value]]));
}

function sorted(pairs: readonly Pair[]): string[] {
  return pairs.map(([name, value]) => `${name}=${value}`).sort();
}

describe('where credentials come from', () => {
  test('header: query and form go on whole', () => {
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
    expect(sorted(request.parameters)).toEqual(sorted([...SIGNED, ...request.query, ...request.form]));
  });

  test('query: protocol parameters are taken out of it, and signed', () => {
    const request = get(`/x?a=1&${formEncode(PROTOCOL)}&b=2`);
    expect(request).toMatchObject({ source: 'query', oauth: OAUTH, problems: [] });
    expect(request.query).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(sorted(request.parameters)).toEqual(sorted([...SIGNED, ['a', '1'], ['b', '2']]));
  });

  test('form body: protocol parameters are taken out of it, and signed', () => {
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
    expect(sorted(request.parameters)).toEqual(sorted([...SIGNED, ['a', '1'], ['q', '1']]));
  });

  test.each([FORM, `${FORM};charset=UTF-8`, `${FORM} ; charset=iso-8859-1`, ` ${FORM.toUpperCase()}`])(
    'a body of type %j is a form',
    (contentType) => {
      expect(parseRequest({ method: 'POST', target: '/', contentType, body: 'a=1' }).form).toEqual([['a', '1']]);
    },
  );

  test.each(['application/json', `${FORM}x`, `text/plain; ${FORM}`, 'multipart/form-data; boundary=x', '', undefined])(
    'a body of type %j is not looked at',
    (contentType) => {
      const request = parseRequest({
        method: 'POST',
        target: '/',
        contentType,
        authorization: HEADER,
        body: 'a=%&oauth_token=x',
      });
      expect(request).toMatchObject({ form: [], problems: [] });
      expect(sorted(request.parameters)).toEqual(sorted(SIGNED));
    },
  );

  test('none: an unsigned request has no problem, and keeps an oauth_token of its query', () => {
    const request = get('/oauth/authorize?oauth_token=abc&force_login=true');
    expect(request).toMatchObject({ oauth: undefined, source: undefined, problems: [], parameters: [] });
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
  ] satisfies [string, Omit<ReceivedRequest, 'method'>][])('in two places is refused: %s', (_, parts) => {
    const request = parseRequest({ method: 'POST', ...parts });
    expect(codes(request).filter((code) => code.startsWith('400 credentials_in_two_places'))).toHaveLength(1);
    expect(request.oauth).toBeUndefined();
  });

  test.each([
    ['oauth_verifier', 'verifier', 'hfdp7dh39dks9884'],
    ['oauth_callback', 'callback', 'https://app.example.com/cb?x1=1'],
    ['oauth_token', 'token', 'request-token'],
  ])('%s may stand in query or form while the header signs, and is not handed on', (name, field, value) => {
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
      expect(request.parameters).toContainEqual(pair);
    }
    expect(inQuery.query).toEqual([['a', '1']]);
    expect(inForm.form).toEqual([]);
  });
});

describe('the header', () => {
  const spellings: [string, string][] = [
    ['scheme word in another case', HEADER.replace('OAuth', 'oAUTH')],
    ['bare commas', HEADER.replaceAll(', ', ',')],
    ['spaces around everything', `  ${HEADER.replaceAll(', ', ' ,\t ').replaceAll('="', ' = "')}  `],
    ['empty list elements', `${HEADER.replace('OAuth ', 'OAuth , ,').replaceAll(', ', ',,, ')},`],
    ['realm first', HEADER.replace('OAuth ', 'OAuth realm="Photos", ')],
    ['realm last, with commas, quotes and pairs in it', `${HEADER}, Realm="a, \\"b=\\\\\\", oauth_token=\\"z"`],
    ['base64 left unencoded', HEADER.replaceAll('%2B', '+').replaceAll('%2F', '/').replaceAll('%3D', '=')],
    ['lower-case hexadecimal digits', HEADER.replaceAll(/%../g, (triplet) => triplet.toLowerCase())],
    ['encoded names', HEADER.replaceAll('oauth_', '%6Fauth%5F')],
  ];
  test.each(spellings)('is read with %s', (_, header) => {
    const request = get('/', header);
    expect(request.problems).toEqual([]);
    expect(request.oauth).toEqual(OAUTH);
    expect(sorted(request.parameters)).toEqual(sorted(SIGNED));
  });

  test('a parameter without the oauth_ prefix is signed, and not handed on', () => {
    const request = get('/', `${HEADER}, x_mode="a%20b"`);
    expect(request).toMatchObject({ problems: [], query: [], form: [] });
    expect(request.parameters).toContainEqual(['x_mode', 'a b']);
  });

  test('a plus is a plus there, though a space in a query', () => {
    expect(get('/?a=1+2', HEADER.replace('12-tok', '1+2'))).toMatchObject({
      oauth: { token: '1+2' },
      query: [['a', '1 2']],
    });
  });

  test.each([
    ['no comma between pairs', 'OAuth a="1" b="2"'],
    ['no quotes', 'OAuth oauth_token=abc'],
    ['no closing quote', 'OAuth oauth_token="abc'],
    ['an escaped closing quote', 'OAuth realm="abc\\"'],
    ['no name', 'OAuth ="abc"'],
    ['no equals sign', 'OAuth oauth_token'],
    ['a draft 2 token', 'OAuth abcdef0123456789'],
    ['a space in a name', 'OAuth oauth token="x"'],
    ['text after a quote', 'OAuth a="1"x, b="2"'],
    ['a broken triplet', 'OAuth oauth_token="%zz"'],
    ['bytes that are not UTF-8', 'OAuth oauth_token="%ff"'],
    ['a raw character outside ASCII', 'OAuth oauth_token="é"'],
    ['a control character', 'OAuth oauth_token="a\u0001"'],
    ['a backslash', 'OAuth oauth_token="a\\b"'],
    ['a broken name', 'OAuth oauth%5="x"'],
  ])('with %s is malformed', (_, header) => {
    const request = get('/', header);
    expect(request.problems.filter((problem) => problem.code === 'malformed_header')).toHaveLength(1);
    expect(request.source).toBe('header');
    expect(request.oauth).toBeUndefined();
  });

  test('says where it stops making sense', () => {
    expect(get('/', 'OAuth a="1", b=2').problems[0]?.message).toContain('character 14');
  });

  test('with the scheme word alone misses every required parameter', () => {
    expect(codes(get('/', 'OAuth'))).toEqual([
      '400 missing_parameter oauth_consumer_key',
      '400 missing_parameter oauth_signature_method',
      '400 missing_parameter oauth_signature',
      '400 missing_parameter oauth_timestamp',
      '400 missing_parameter oauth_nonce',
    ]);
  });

  test('a scheme that only starts like OAuth is another scheme', () => {
    expect(get('/', 'OAuth2 a="1"')).toMatchObject({ source: undefined, problems: [] });
  });
});

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
  ])('%j is fine', (changes, fields) => {
    const pairs = protocol(changes);
    const request = get('/', authorizationHeader(pairs));
    expect(request.problems).toEqual([]);
    expect(request.oauth).toEqual({ ...OAUTH, ...fields });
    expect(sorted(request.parameters)).toEqual(sorted(pairs.filter(([name]) => name !== 'oauth_signature')));
  });

  test.each(PROTOCOL.map(([name]) => name))('%s twice is refused, in one place and across places', (name) => {
    const again: Pair = [name, PROTOCOL.find(([other]) => other === name)?.[1] ?? ''];
    const duplicate = `400 duplicate_parameter ${name}`;
    expect(codes(get('/', authorizationHeader([...PROTOCOL, again])))).toEqual([duplicate]);
    expect(codes(get(`/?${formEncode([...PROTOCOL, again])}`))).toEqual([duplicate]);
    expect(codes(get(`/?${formEncode([again])}`, HEADER))).toContain(duplicate);
  });

  test('all problems are told at once, and none repeats what was sent', () => {
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

  test('a header of the longest length is read, one character more is not', () => {
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

  test('a header that was built is read back', () => {
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
        expect(sorted(request.parameters)).toEqual(sorted(pairs.filter(([name]) => name !== 'oauth_signature')));
      }),
      { seed: 4, numRuns: 1000 },
    );
  });

  test('nothing that arrives makes it throw; what it believes is complete', () => {
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
        expect(request.parameters.some(([name]) => name === 'oauth_signature')).toBe(false);
      }),
      { seed: 5, numRuns: 5000 },
    );
    // Otherwise the second half of the property was not tried.
    expect(believed).toBeGreaterThan(100);
  });
});
