import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approvedCallback, cancelledCallback } from './callback.ts';

test.for([
  ['https://app.example.com/cb', 'https://app.example.com/cb?oauth_token=t&oauth_verifier=v'],
  ['https://app.example.com', 'https://app.example.com?oauth_token=t&oauth_verifier=v'],
  ['https://app.example.com/cb?', 'https://app.example.com/cb?oauth_token=t&oauth_verifier=v'],
  ['https://app.example.com/cb?x=1?', 'https://app.example.com/cb?x=1?&oauth_token=t&oauth_verifier=v'],
  ['https://app.example.com/cb?x=1', 'https://app.example.com/cb?x=1&oauth_token=t&oauth_verifier=v'],
  ['https://app.example.com/cb?x=1&', 'https://app.example.com/cb?x=1&oauth_token=t&oauth_verifier=v'],
  ['HTTPS://App.example.com:443/%7Ecb', 'HTTPS://App.example.com:443/%7Ecb?oauth_token=t&oauth_verifier=v'],
  ['myapp://cb', 'myapp://cb?oauth_token=t&oauth_verifier=v'],
  ['com.example.app:/oauth', 'com.example.app:/oauth?oauth_token=t&oauth_verifier=v'],
])('%s is extended, and otherwise left as it is', ([callback = '', expected]) => {
  expect(approvedCallback(callback, 't', 'v')).toBe(expected);
});

test('after cancelling, the redirect carries the token as `denied`, and no verifier', () => {
  expect(cancelledCallback('https://app.example.com/cb?x=1', 't')).toBe('https://app.example.com/cb?x=1&denied=t');
});

test('a token or verifier adds only its own parameter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (token, verifier) => {
      const [one, other] = [token.toWellFormed(), verifier.toWellFormed()];
      const sent = approvedCallback('https://app.example.com/cb?x=1', one, other);
      expect(sent).toMatch(/^[\x21-\x7e]+$/);
      expect([...new URL(sent).searchParams]).toEqual([
        ['x', '1'],
        ['oauth_token', one],
        ['oauth_verifier', other],
      ]);
    }),
  );
});
