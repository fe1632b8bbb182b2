import { describe, expect, test } from 'vitest';
import { coveredParameters } from './covered.ts';
import { codes, get, HEADER, OAUTH, SIGNED, sorted } from './testing/requests.ts';

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
    expect(sorted(coveredParameters(request.covered))).toEqual(sorted(SIGNED));
  });

  test('a parameter without the oauth_ prefix is signed, and not passed on', () => {
    const request = get('/', `${HEADER}, x_mode="a%20b"`);
    expect(request).toMatchObject({ problems: [], query: [], form: [] });
    expect(coveredParameters(request.covered)).toContainEqual(['x_mode', 'a b']);
  });

  test('each value is decoded by itself, wherever in the header something is encoded', () => {
    // Of a value: encoded at its start, at its end, throughout, or not at all.
    const values = ['%61bc', 'ab%63', '%61%62%63', 'abc'];
    for (const first of values)
      for (const second of values)
        for (const third of values) {
          const header = `${HEADER}, x_1="${first}", realm="100%", x_2="${second}", x%5F3="${third}"`;
          const request = get('/', header);
          expect(request.problems).toEqual([]);
          expect(request.oauth).toEqual(OAUTH);
          expect(request.header).toEqual(['x_1', 'x_2', 'x_3'].map((name) => [name, 'abc']));
        }
  });

  test('a plus is literal, though a space in a query', () => {
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

  test('reports the position of the syntax error', () => {
    expect(get('/', 'OAuth a="1", b=2').problems[0]?.message).toContain('character 14');
  });

  test('with the scheme alone, every required parameter is missing', () => {
    expect(codes(get('/', 'OAuth'))).toEqual([
      '400 missing_parameter oauth_consumer_key',
      '400 missing_parameter oauth_signature_method',
      '400 missing_parameter oauth_signature',
      '400 missing_parameter oauth_timestamp',
      '400 missing_parameter oauth_nonce',
    ]);
  });

  test('a scheme that merely starts with OAuth is a different scheme', () => {
    expect(get('/', 'OAuth2 a="1"')).toMatchObject({ source: undefined, problems: [] });
  });
});
