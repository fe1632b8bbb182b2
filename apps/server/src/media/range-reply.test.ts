import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rangeReply, type ServedFile } from './range-reply.ts';

const file: ServedFile = { size: 1000, content_type: 'image/png', etag: 'abc', is_immutable: true };
const get = (headers: Record<string, string> = {}, method = 'GET', other: Partial<ServedFile> = {}) =>
  rangeReply({ method, headers }, { ...file, ...other });

describe('whole files', () => {
  test('are served with their type, length, tag and long caching', () => {
    expect(get()).toEqual({
      status: 200,
      headers: {
        etag: '"abc"',
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'content-type': 'image/png',
        'content-disposition': 'inline',
        'content-length': '1000',
      },
      range: { start: 0, end: 999 },
    });
  });

  test('HEAD has the headers of GET and no body, whatever range it names', () => {
    const { range: _, ...head } = get();
    expect(get({}, 'HEAD')).toEqual(head);
    expect(get({ range: 'bytes=0-1' }, 'HEAD')).toEqual(head);
  });

  test('an empty file has no body', () => {
    expect(get({}, 'GET', { size: 0 })).toMatchObject({ status: 200, headers: { 'content-length': '0' } });
    expect(get({}, 'GET', { size: 0 })).not.toHaveProperty('range');
  });

  test('an address whose content may change is revalidated', () => {
    expect(get({}, 'GET', { is_immutable: false }).headers['cache-control']).toBe('no-cache');
  });

  test('other methods are rejected', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'get']) {
      expect(get({}, method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
  });
});

test.each(['text/html', 'image/svg+xml', 'application/javascript', 'text/xml', 'image/png; x', '', 'IMAGE/PNG'])(
  'the type %j is served as bytes to be saved',
  (content_type) => {
    expect(get({}, 'GET', { content_type }).headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
  },
);

describe('names', () => {
  test.each([
    ['cat.png', 'inline; filename="cat.png"'],
    ['a "b".png', 'inline; filename="a _b_.png"; filename*=UTF-8\'\'a%20%22b%22.png'],
    ['é.png', 'inline; filename="_.png"; filename*=UTF-8\'\'%C3%A9.png'],
    ['../../etc/passwd', 'inline; filename="....etcpasswd"'],
    ['a\r\nset-cookie: x', 'inline; filename="aset-cookie: x"'],
    ["it's (1).png", 'inline; filename="it\'s (1).png"'],
  ])('%j', (file_name, expected) => {
    expect(get({}, 'GET', { file_name }).headers['content-disposition']).toBe(expected);
  });

  test('with any characters make a valid header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (file_name) => {
        const value = get({}, 'GET', { file_name }).headers['content-disposition'] ?? '';
        expect(value).toMatch(
          /^inline(?:; filename="[^"\\/\x00-\x1f\x7f-\uffff]+"(?:; filename\*=UTF-8''[\w.!~%-]+)?)?$/,
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('conditions', () => {
  test.each(['"abc"', 'W/"abc"', '"x", "abc"', '*', ' "x" , W/"abc" '])('If-None-Match: %s: 304', (value) => {
    const reply = get({ 'if-none-match': value, range: 'bytes=0-1' });
    expect(reply.status).toBe(304);
    expect(reply).not.toHaveProperty('range');
    expect(reply.headers).toMatchObject({ etag: '"abc"', 'cache-control': expect.stringContaining('immutable') });
    expect(reply.headers).not.toHaveProperty('content-length');
  });

  test.each(['"ab"', '"abcd"', 'abc', '', '"ABC"'])('If-None-Match: %j does not match', (value) => {
    expect(get({ 'if-none-match': value }).status).toBe(200);
  });

  test.each([
    ['"abc"', 200],
    ['*', 200],
    ['"x"', 412],
    ['W/"abc"', 412],
  ])('If-Match: %s answers %i', (value, status) => {
    expect(get({ 'if-match': value }).status).toBe(status);
  });

  test.each([
    ['"abc"', 206],
    ['"x"', 200],
    ['W/"abc"', 200],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 200],
  ])('If-Range: %s answers %i', (value, status) => {
    expect(get({ 'if-range': value, range: 'bytes=5-9' }).status).toBe(status);
  });
});

describe('ranges', () => {
  test.each([
    ['bytes=0-0', 206, 0, 0],
    ['bytes=10-19', 206, 10, 19],
    ['bytes=990-', 206, 990, 999],
    ['bytes=990-5000', 206, 990, 999],
    ['bytes=-10', 206, 990, 999],
    ['bytes=-5000', 206, 0, 999],
    ['BYTES=0-1', 206, 0, 1],
  ])('%s', (range, status, start, end) => {
    expect(get({ range })).toMatchObject({
      status,
      range: { start, end },
      headers: { 'content-range': `bytes ${start}-${end}/1000`, 'content-length': String(end - start + 1) },
    });
  });

  test.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0', 'bytes=99999999999999999999-'])('%s: 416', (range) => {
    const reply = get({ range });
    expect(reply).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */1000' } });
    expect(reply).not.toHaveProperty('range');
  });

  test.each(['bytes=5-4', 'bytes=-', 'bytes=', 'bytes', 'items=0-1', 'bytes=0-1,5-6', 'bytes=a-b', 'bytes=0x1-2', ''])(
    '%j asks for the whole file',
    (range) => {
      expect(get({ range })).toMatchObject({ status: 200, range: { start: 0, end: 999 } });
    },
  );

  /** The section of the RFC, byte by byte: a byte is sent if it is in the requested range. */
  function reference(range: string, size: number): number[] | 'whole' | 'unsatisfiable' {
    const match = range.match(/^bytes=(?:(?<first>[0-9]+)-(?<last>[0-9]*)|-(?<suffix>[0-9]+))$/);
    if (!match?.groups) return 'whole';
    const { first, last, suffix } = match.groups;
    if (first !== undefined && last && BigInt(last) < BigInt(first)) return 'whole';
    const all = Array.from({ length: size }, (_, index) => index);
    const sent = all.filter((index) =>
      suffix === undefined
        ? BigInt(index) >= BigInt(first ?? 0) && (!last || BigInt(index) <= BigInt(last))
        : BigInt(index) >= BigInt(size) - BigInt(suffix),
    );
    return sent.length === 0 ? 'unsatisfiable' : sent;
  }

  test('of any form and size match the reference implementation', () => {
    const number = fc.oneof(fc.nat(12), fc.nat(12), fc.bigInt({ min: 0n, max: 10n ** 30n })).map(String);
    const part = fc.oneof(
      { weight: 4, arbitrary: number },
      { weight: 1, arbitrary: fc.constantFrom('', '-1', 'x', ' ') },
    );
    const arbitrary = fc.record({ first: part, last: part, size: fc.nat(12) });
    const counts = { whole: 0, part: 0, unsatisfiable: 0 };
    fc.assert(
      fc.property(arbitrary, ({ first, last, size }) => {
        const range = `bytes=${first}-${last}`;
        const expected = reference(range.replaceAll(' ', ''), size);
        const reply = get({ range }, 'GET', { size });
        if (expected === 'unsatisfiable') {
          counts.unsatisfiable++;
          expect(reply).toMatchObject({ status: 416, headers: { 'content-range': `bytes */${size}` } });
        } else if (expected === 'whole') {
          counts.whole++;
          expect(reply.status).toBe(200);
        } else {
          counts.part++;
          const { start, end } = reply.range ?? { start: -1, end: -1 };
          expect(Array.from({ length: end - start + 1 }, (_, index) => start + index)).toEqual(expected);
          expect(reply).toMatchObject({ status: 206, headers: { 'content-length': String(expected.length) } });
        }
      }),
      { numRuns: 5000 },
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
  });
});
