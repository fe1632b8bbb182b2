import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const BROADSIDE_MEDIA_URL = 's3://bucket/media?region=eu-central-1';
const keys = { BROADSIDE_MEDIA_ACCESS_KEY_ID: 'key', BROADSIDE_MEDIA_SECRET_ACCESS_KEY: 'secret-of-the-store' };

test('media are files in the data directory unless a store is configured', () => {
  expect(readConfig({ ...keys }).media).toBeUndefined();
});

test('a store is configured by its URL and its keys', () => {
  expect(readConfig({ BROADSIDE_MEDIA_URL, ...keys }).media).toEqual({
    url: BROADSIDE_MEDIA_URL,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret-of-the-store', sessionToken: undefined },
  });
  expect(readConfig({ BROADSIDE_MEDIA_URL, ...keys, BROADSIDE_MEDIA_SESSION_TOKEN: 'token' }).media).toMatchObject({
    credentials: { sessionToken: 'token' },
  });
});

test('media are in a directory that all servers have mounted', () => {
  expect(readConfig({ BROADSIDE_MEDIA_SHARED_DIRECTORY: '/srv/media' }).media).toEqual({
    directory: path.resolve('/srv/media'),
    isShared: true,
  });
});

test.for([
  [{ BROADSIDE_MEDIA_URL: 'https://bucket.example.com', ...keys }, 's3://bucket/prefix'],
  [{ BROADSIDE_MEDIA_URL: 's3://user:hidden@bucket', ...keys }, 'must not hold credentials'],
  [{ BROADSIDE_MEDIA_URL }, 'BROADSIDE_MEDIA_ACCESS_KEY_ID'],
  [{ BROADSIDE_MEDIA_URL, ...keys, BROADSIDE_MEDIA_SHARED_DIRECTORY: '/srv' }, 'BROADSIDE_MEDIA_SHARED_DIRECTORY'],
  [{ BROADSIDE_MEDIA_URL, BROADSIDE_MEDIA_ACCESS_KEY_ID: 'key' }, 'BROADSIDE_MEDIA_SECRET_ACCESS_KEY'],
] as const)('%j is rejected with a message that names valid values', ([env, message]) => {
  const read = () => readConfig({ ...env });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(message);
  expect(read).not.toThrow(/hidden|secret-of-the-store/);
});
