/** Pasted texts, and the requests read from them. */
import { formEncode, percentEncode } from '@broadside/core/auth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headerOf, type PastedRequest, PasteError } from './pasted.ts';
import { readPaste } from './read-paste.ts';
import { shellWords } from './shell-words.ts';

function read(text: string): Partial<PastedRequest> & { type?: string; authorization?: string } {
  const { method, scheme, host, target, headers, body, notes } = readPaste(text);
  const type = headerOf(headers, 'content-type');
  const authorization = headerOf(headers, 'authorization');
  return {
    method,
    ...(scheme === undefined ? {} : { scheme }),
    ...(host === undefined ? {} : { host }),
    target,
    ...(type === undefined ? {} : { type }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { body }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

const FORM = 'application/x-www-form-urlencoded';
const at = { scheme: 'http', host: 'h.test' };

describe('the words of a command line', () => {
  test.each<[string, string[]]>([
    ['curl  -X POST', ['curl', '-X', 'POST']],
    [`a'b c'd"e f"g`, ['ab cde fg']],
    [`'it'\\''s'`, ["it's"]],
    [`"a\\"b\\$c\\\\d\\e"`, ['a"b$c\\d\\e']],
    ['a \\\n  b \\\r\n c', ['a', 'b', 'c']],
    [`"a\\\nb"`, ['ab']],
    [`'a\\\nb'`, ['a\\\nb']],
    [`$'a\\'b\\n\\t\\\\\\u0021\\x41\\101'`, ["a'b\n\t\\!AA"]],
    [`$'\\xc3\\xa9 \\u00e9 \\U0001F600'`, ['é é 😀']],
    [`'' ""`, ['', '']],
    ['a # a remark\nb', ['a']],
    ['a | jq .', ['a']],
    ['a > out 2>&1', ['a']],
    ['a; b', ['a']],
    ['a && b', ['a']],
    ['http://h/?a=1&b=2 c', ['http://h/?a=1&b=2', 'c']],
    ['\n\n a', ['a']],
    ['$HOME', ['$HOME']],
  ])('%j', (line, words) => {
    expect(shellWords(line)).toEqual(words);
  });

  test.each(["'a", '"a', "$'a", '"a\\"', "$'a\\'"])('%j has no end', (line) => {
    expect(() => shellWords(line)).toThrow('is not closed');
  });
});

describe('curl', () => {
  test.each<[string, object]>([
    ['curl http://h.test', { method: 'GET', ...at, target: '/' }],
    ['curl h.test/a?b=1#c', { method: 'GET', ...at, target: '/a?b=1' }],
    ['curl https://h.test:8443/a', { method: 'GET', scheme: 'https', host: 'h.test:8443', target: '/a' }],
    ['$ curl -sS "http://h.test/a"', { method: 'GET', ...at, target: '/a' }],
    ['sudo /usr/bin/curl http://h.test/a', { method: 'GET', ...at, target: '/a' }],
    ['curl -XPUT http://h.test/', { method: 'PUT', ...at, target: '/' }],
    ['curl -sSX DELETE --url http://h.test/', { method: 'DELETE', ...at, target: '/' }],
    ['curl --request=PUT http://h.test/', { method: 'PUT', ...at, target: '/' }],
    ['curl -I http://h.test/', { method: 'HEAD', ...at, target: '/' }],
    ['curl http://h.test/ -d a=1 -d b=2', { method: 'POST', ...at, target: '/', type: FORM, body: 'a=1&b=2' }],
    ['curl http://h.test/ -da=1 --data-raw @b', { method: 'POST', ...at, target: '/', type: FORM, body: 'a=1&@b' }],
    [
      'curl -G http://h.test/?a=1 -d b=2 --data-urlencode "c= &ü"',
      { method: 'GET', ...at, target: '/?a=1&b=2&c=+%26%C3%BC' },
    ],
    [
      'curl http://h.test/ --data-urlencode "=a b" --data-urlencode a+b',
      { method: 'POST', ...at, target: '/', type: FORM, body: 'a+b&a%2Bb' },
    ],
    ['curl http://h.test/a --url-query b=1', { method: 'GET', ...at, target: '/a?b=1' }],
    [
      `curl http://h.test/ --json '{"a":' --json 1}`,
      { method: 'POST', ...at, target: '/', type: 'application/json', body: '{"a":1}' },
    ],
    [
      `curl http://h.test/ -H 'content-type: application/json' -d '{}'`,
      { method: 'POST', ...at, target: '/', type: 'application/json', body: '{}' },
    ],
    [`curl http://h.test/ -H 'Content-Type:' -d a=1`, { method: 'POST', ...at, target: '/', body: 'a=1' }],
    ['curl http://h.test/ -F a=1', { method: 'POST', ...at, target: '/', type: 'multipart/form-data' }],
    ['curl http://h.test/ -T file', { method: 'PUT', ...at, target: '/' }],
    ['curl -u a:b http://h.test/', { method: 'GET', ...at, target: '/', authorization: 'Basic YTpi' }],
    ['curl http://a:b@h.test/', { method: 'GET', ...at, target: '/', authorization: 'Basic YTpi' }],
    ['curl --oauth2-bearer t http://h.test/', { method: 'GET', ...at, target: '/', authorization: 'Bearer t' }],
    [
      `curl http://h.test/ -u a:b -H 'Authorization: OAuth x="y"'`,
      { method: 'GET', ...at, target: '/', authorization: 'OAuth x="y"' },
    ],
    ['curl http://h.test/ -H "Host: public.test"', { method: 'GET', scheme: 'http', host: 'public.test', target: '/' }],
    ['curl --some-new-flag value -o out --compressed http://h.test/a | jq', { method: 'GET', ...at, target: '/a' }],
    [
      'curl http://h.test/a --next http://h.test/b',
      { method: 'GET', ...at, target: '/a', notes: ['Only the first request of the command line was looked at.'] },
    ],
    [
      'curl http://h.test/ -d @body.txt',
      {
        method: 'POST',
        ...at,
        target: '/',
        type: FORM,
        body: '',
        notes: [expect.stringContaining('The content of body.txt is not known here')],
      },
    ],
  ])('%s', (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  test('as browsers copy it', () => {
    const copied = `curl 'http://h.test/12/accounts?count=1' \\
  -X 'POST' \\
  -H 'accept: */*' \\
  -H $'x-note: it\\'s \\u0021' \\
  -H 'content-type: application/x-www-form-urlencoded' \\
  --data-raw $'name=O\\'Brien' \\
  --compressed`;
    expect(read(copied)).toEqual({
      method: 'POST',
      ...at,
      target: '/12/accounts?count=1',
      type: FORM,
      body: "name=O'Brien",
    });
    expect(headerOf(readPaste(copied).headers, 'x-note')).toBe("it's !");
  });

  test.each(['curl', 'curl -X POST', 'curl "http://h.test', 'curl ftp://h.test/'])('%s is rejected', (line) => {
    expect(() => readPaste(`${line} `)).toThrow(PasteError);
  });

  /** The ways in which people quote. */
  const quotings: readonly ((word: string) => string)[] = [
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
    (word) => `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`,
    (word) => `$'${word.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`,
    (word) =>
      `$'${[...new TextEncoder().encode(word)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`,
    (word) => (word === '' ? "''" : word.replaceAll(/[^\w./:=-]/gu, (char) => (char === '\n' ? `'\n'` : `\\${char}`))),
  ];
  const text = fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .filter((value) => !/[\0\r]/.test(value) && value.isWellFormed());
  const pairs = fc.array(fc.tuple(text, text), { maxLength: 4 });
  const parts = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    path: fc.array(text, { maxLength: 3 }),
    query: pairs,
    form: fc.option(
      pairs.filter((form) => form.length > 0),
      { nil: undefined },
    ),
    headers: fc.array(fc.tuple(fc.stringMatching(/^x-[a-z]{1,8}$/), fc.stringMatching(/^[!-~]([ -~]{0,10}[!-~])?$/)), {
      maxLength: 3,
    }),
    quoting: fc.infiniteStream(fc.nat(quotings.length - 1)),
    short: fc.boolean(),
    breaks: fc.boolean(),
  });

  test('a request comes back out of the command line that was made of it, however it is quoted', () => {
    fc.assert(
      fc.property(parts, ({ method, path, query, form, headers, quoting, short, breaks }) => {
        const quote = (word: string) => {
          const next = quoting.next();
          return (quotings[next.done ? 0 : next.value] ?? String)(word);
        };
        const target = `/${path.map(percentEncode).join('/')}${query.length > 0 ? `?${formEncode(query)}` : ''}`;
        const body = form && formEncode(form);
        const flags = [
          [short ? '-X' : '--request', method],
          ...headers.map(([name, value]) => [short ? '-H' : '--header', `${name}: ${value}`] as const),
          ...(form ?? []).map(([name, value]) => ['--data-raw', formEncode([[name, value]])] as const),
        ];
        const words = [
          quote(`http://h.test${target}`),
          ...flags.map(([flag = '', value = '']) => `${flag} ${quote(value)}`),
        ];
        const pasted = readPaste(`curl ${words.join(breaks ? ' \\\n  ' : ' ')}`);
        expect(pasted).toMatchObject({ method, ...at, target });
        expect(pasted.body).toBe(body);
        expect(pasted.headers.filter(([name]) => name.startsWith('x-'))).toEqual(headers);
      }),
      { numRuns: 300 },
    );
  });

  test('values keep their characters, whatever they are', () => {
    fc.assert(
      fc.property(text, fc.nat(quotings.length - 1), (value, way) => {
        expect(shellWords(`curl ${(quotings[way] ?? String)(value)}`)).toEqual(['curl', value]);
      }),
    );
  });
});

describe('the text of an HTTP request', () => {
  test.each<[string, object]>([
    ['GET /a?b=1 HTTP/1.1\r\nHost: h.test\r\n\r\n', { method: 'GET', host: 'h.test', target: '/a?b=1' }],
    ['GET http://h.test/a HTTP/1.1\nHost: other.test\n', { method: 'GET', ...at, target: '/a' }],
    [
      'POST /a\nhost: h.test\ncontent-type: application/x-www-form-urlencoded\n\na=1\n\n',
      { method: 'POST', host: 'h.test', target: '/a', type: FORM, body: 'a=1' },
    ],
    [
      'POST /a HTTP/1.1\nHost: h.test\nContent-Length: 4\n\na=é\nmore',
      { method: 'POST', host: 'h.test', target: '/a', body: 'a=é' },
    ],
    ['GET /curl HTTP/1.1\nHost: h.test\nUser-Agent: curl 8', { method: 'GET', host: 'h.test', target: '/curl' }],
    [
      'GET /a HTTP/1.1\nHost: h.test\nAuthorization: OAuth a="b",\n   c="d"',
      { method: 'GET', host: 'h.test', target: '/a', authorization: 'OAuth a="b", c="d"' },
    ],
    [
      '* Connected to h.test\n> PUT /a HTTP/1.1\n> Host: h.test\n> \n< HTTP/1.1 200 OK',
      { method: 'PUT', host: 'h.test', target: '/a' },
    ],
    [
      ':method: POST\n:authority: h.test\n:scheme: https\n:path: /a?b\naccept: */*',
      { method: 'POST', scheme: 'https', host: 'h.test', target: '/a?b' },
    ],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each(['', '  \n', 'hello', 'GET nowhere', '\n\n:'])('%j is rejected', (text) => {
    expect(() => readPaste(text)).toThrow(PasteError);
  });
});

describe('JSON', () => {
  const url = 'http://h.test/a?b=1';
  test.each<[object, object]>([
    [{ url }, { method: 'GET', ...at, target: '/a?b=1' }],
    [
      { method: 'POST', url, headers: { 'Content-Type': FORM }, body: 'a=1' },
      { method: 'POST', ...at, target: '/a?b=1', type: FORM, body: 'a=1' },
    ],
    [
      { url, headers: [['authorization', 'OAuth x']] },
      { method: 'GET', ...at, target: '/a?b=1', authorization: 'OAuth x' },
    ],
    [
      {
        startedDateTime: '',
        request: {
          method: 'POST',
          url,
          headers: [{ name: 'Content-Type', value: FORM }],
          postData: { mimeType: FORM, text: 'a=1' },
        },
      },
      { method: 'POST', ...at, target: '/a?b=1', type: FORM, body: 'a=1' },
    ],
  ])('%j', (value, expected) => {
    expect(read(JSON.stringify(value))).toEqual(expected);
  });

  test.each([
    {},
    { url: '/a' },
    { url, method: 1 },
    { url, body: {} },
    { url, headers: { a: 1 } },
    { url, headers: ['a'] },
  ])('%j is rejected', (value) => {
    expect(() => readPaste(JSON.stringify(value))).toThrow(PasteError);
  });
});

test('any pasted text is either read or rejected', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      'curl ',
      '-H ',
      '-d ',
      "'",
      '"',
      "$'",
      '\\',
      '\n',
      'http://h.test/',
      'GET / HTTP/1.1\n',
      '{',
      '}',
      '"url":',
      ':',
      '> ',
      '--next ',
      '-X',
      '@',
      '%',
      '&',
      '\\x',
      '\\U110000',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        readPaste(pieces.join(''));
      } catch (error) {
        expect(error).toBeInstanceOf(PasteError);
      }
    }),
    { numRuns: 2_000 },
  );
});
