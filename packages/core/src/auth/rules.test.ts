import { describe, expect, test } from 'vitest';
import { checkNonce, checkTimestamp, checkVersion, isSignatureMethod, readTimestamp } from './rules.ts';

const NOW = 1_700_000_000;

describe('checkTimestamp', () => {
  test.each([
    [-301, false],
    [-300, true],
    [0, true],
    [300, true],
    [301, false],
  ])('%i seconds from the clock: %s', (ahead, fine) => {
    const problem = checkTimestamp(NOW + ahead, NOW);
    expect(problem === undefined).toBe(fine);
    if (!fine)
      expect(problem).toMatchObject({ code: 'timestamp_out_of_window', status: 401, parameter: 'oauth_timestamp' });
  });

  test('reports the distance and the direction', () => {
    expect(checkTimestamp(NOW - 400, NOW)?.message).toContain('400 seconds behind');
    expect(checkTimestamp(NOW + 400, NOW)?.message).toContain('400 seconds ahead of');
  });

  test('a clock with a fraction does not narrow the window, and the window is configurable', () => {
    expect(checkTimestamp(NOW - 300, NOW + 0.999)).toBeUndefined();
    expect(checkTimestamp(NOW - 11, NOW, 10)).toBeDefined();
    expect(checkTimestamp(NOW - 10, NOW, 10)).toBeUndefined();
  });
});

test.each([
  ['1', 1],
  ['1700000000', NOW],
  ['999999999999', 999_999_999_999],
  ['1700000000000', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['+1', undefined],
  ['01', undefined],
  ['1.0', undefined],
  ['1e9', undefined],
  [' 1', undefined],
  ['1\n', undefined],
  ['0x1', undefined],
  ['١', undefined],
  ['', undefined],
])('readTimestamp(%j) is %s', (text, value) => {
  expect(readTimestamp(text)).toBe(value);
});

test.each([
  ['n0nceABC123', true],
  ['aGVsbG8+d29/bGQ=', true],
  ['x'.repeat(256), true],
  ['x'.repeat(257), false],
  ['', false],
  ['a b', false],
  ['a\n', false],
  ['a\0', false],
  ['é', false],
  ['a\x7f', false],
])('checkNonce(%j) passes: %s', (nonce, fine) => {
  expect(checkNonce(nonce)).toEqual(fine ? undefined : expect.objectContaining({ code: 'invalid_nonce', status: 401 }));
});

test.each([
  [undefined, true],
  ['1.0', true],
  ['1.0a', false],
  ['2.0', false],
  ['1', false],
  ['', false],
])('checkVersion(%j) passes: %s', (version, fine) => {
  expect(checkVersion(version)).toEqual(
    fine ? undefined : expect.objectContaining({ code: 'unsupported_version', status: 400 }),
  );
});

test('signature methods are case sensitive, and only the HMAC ones are supported', () => {
  const names = ['HMAC-SHA1', 'HMAC-SHA256', 'hmac-sha1', 'HMAC-SHA512', 'RSA-SHA1', 'PLAINTEXT', '', 'constructor'];
  expect(names.filter(isSignatureMethod)).toEqual(['HMAC-SHA1', 'HMAC-SHA256']);
});
