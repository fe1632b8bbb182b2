import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const rest = {
  BROADSIDE_ADS_DATABASE_URL: 'libsql://ads.example.com',
  BROADSIDE_SHARED_URL: 'redis://redis.example.com',
};

test('replicas are URLs of servers', () => {
  const BROADSIDE_ADS_REPLICAS = 'libsql://one.example.com, wss://two.example.com?authToken=a=';
  const { replicas } = readConfig({ ...rest, BROADSIDE_ADS_REPLICAS });
  expect(replicas).toEqual({ production: ['libsql://one.example.com', 'wss://two.example.com?authToken=a='] });
  expect(readConfig(rest).replicas).toEqual({});
});

test.each([
  [{ BROADSIDE_ADS_REPLICAS: 'libsql://one.example.com,file:/hush.db' }, /must be URLs of libSQL servers.*entry 2/],
  [{ BROADSIDE_ADS_REPLICAS: 'libsql://one.example.com,' }, /must be URLs of libSQL servers.*entry 2/],
  [{ BROADSIDE_ADS_REPLICAS: 'libsql://hush.example.com', BROADSIDE_ADS_DATABASE_URL: '' }, /needs BROADSIDE_ADS_D/],
  [{ BROADSIDE_SANDBOX_REPLICAS: 'libsql://hush.example.com' }, /needs BROADSIDE_SANDBOX_DATABASE_URL/],
  [{ BROADSIDE_ADS_REPLICAS: 'libsql://hush.example.com', BROADSIDE_SHARED_URL: '' }, /needs BROADSIDE_SHARED_URL/],
  [{ BROADSIDE_ADS_REPLICAS: 'libsql://hush.example.com', BROADSIDE_ADS_SHARDS: 'a=libsql://a' }, /cannot both be set/],
])('%j is refused in one line', (env, message) => {
  expect(() => readConfig({ ...rest, ...env })).toThrow(ConfigError);
  expect(() => readConfig({ ...rest, ...env })).toThrow(message);
  expect(() => readConfig({ ...rest, ...env })).not.toThrow(/hush|\n/);
});
