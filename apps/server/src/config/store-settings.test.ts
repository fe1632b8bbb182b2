import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test.each([
  'libsql://platform.db.example.com',
  'https://platform.db.example.com/x?tls=1',
  'ws://127.0.0.1:8080',
  'file:/srv/broadside/platform.db',
  'file:///srv/platform.db',
  'file:platform.db',
  '/data/platform.db',
  './platform.db',
  '../platform.db',
  'C:\\data\\platform.db',
])('a store is at %s', (url) => {
  const env = { BROADSIDE_DATABASE_URL: url, BROADSIDE_DATABASE_AUTH_TOKEN: 'token' };
  expect(readConfig(env).stores).toEqual({ platform: { url, authToken: 'token' } });
});

test.each(['libsql:', 'libsql://', 'file:', 'mysql://db', 'db.example.com', 'platform.db', 'localhost:8080', '/'])(
  'no store is at %s',
  (url) => {
    expect(() => readConfig({ BROADSIDE_SANDBOX_DATABASE_URL: url })).toThrow(ConfigError);
  },
);
