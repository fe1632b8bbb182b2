import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test.each([
  'redis://127.0.0.1',
  'redis://redis.example.com:6379',
  'redis://redis.example.com:6379/',
  'rediss://user:secret@redis.example.com:6380/3',
  'redis://:secret@[::1]:6379',
])('servers share state at %s', (url) => {
  expect(readConfig({ BROADSIDE_SHARED_URL: url }).shared).toEqual({ url });
});

test('a server shares nothing by default', () => {
  expect(readConfig({}).shared).toBeUndefined();
});

test.each([
  'redis:',
  'redis://',
  'redis.example.com',
  'redis.example.com:6379',
  'http://redis.example.com',
  'redis://a/b',
  'redis://a:1?x=1',
  'redis://a:99999',
])('servers share nothing at %s', (url) => {
  expect(() => readConfig({ BROADSIDE_SHARED_URL: url })).toThrow(/^BROADSIDE_SHARED_URL is .* must be a URL such as/);
});

test('a message about the address has no password', () => {
  expect(() => readConfig({ BROADSIDE_SHARED_URL: 'redis://user:very@secret@host/x' })).toThrow(
    'BROADSIDE_SHARED_URL is "redis://host/x"',
  );
});
