import { describe, expect, test } from 'vitest';
import { pageHeaders } from './policy.ts';

describe('the headers of a page', () => {
  const policyFor = (callback?: string) => pageHeaders(callback)['content-security-policy'] ?? '';

  test('allow its own style and forms, but no frames, scripts or caching', () => {
    expect(policyFor()).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(policyFor()).not.toMatch(/unsafe|script-src/);
    expect(pageHeaders()).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    ['https://desk.example/callback', "form-action 'self' https:;"],
    ['http://127.0.0.1:8080/callback', "form-action 'self' http: https:;"],
    ['campaign-desk://done', "form-action 'self' campaign-desk:;"],
    ['https://a;script-src b/', "form-action 'self';"],
    ["https://a;b'*,c/", "form-action 'self' https:;"],
    ['oob', "form-action 'self';"],
  ])('let a form end at the callback %s', (callback, expected) => {
    expect(policyFor(callback)).toContain(expected);
    expect(policyFor(callback).split(';')).toHaveLength(policyFor().split(';').length);
  });
});
