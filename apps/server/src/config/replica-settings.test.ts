import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const rest = {
  BROADSIDE_ADS_DATABASE_URL: 'libsql://ads.example.com',
  BROADSIDE_SHARED_URL: 'redis://redis.example.com',
};

test('replicas are URLs of servers', () => {
  const BROADSIDE_ADS_REPLICAS = 'libsql://one.example.com, wss://two.example.com?authToken=a=,east=http://three:80';
  const BROADSIDE_ADS_SHARDS = 'east=libsql://east.example.com';
  const { replicas } = readConfig({ ...rest, BROADSIDE_ADS_REPLICAS, BROADSIDE_ADS_SHARDS });
  expect(replicas.production).toEqual([
    { url: 'libsql://one.example.com' },
    { url: 'wss://two.example.com?authToken=a=' },
    { shard: 'east', url: 'http://three:80' },
  ]);
  expect(readConfig(rest).replicas).toEqual({});
});

test.each([
  [{ BROADSIDE_ADS_REPLICAS: 'libsql://one.example.com,file:/hush.db' }, /must be URLs of libSQL servers.*entry 2/],
  [{ BROADSIDE_ADS_REPLICAS: 'libsql://one.example.com,' }, /must be URLs of libSQL servers.*entry 2/],
  [{ BROADSIDE_ADS_REPLICAS: 'libsql://hush.example.com', BROADSIDE_ADS_DATABASE_URL: '' }, /needs BROADSIDE_ADS_D/],
  [{ BROADSIDE_SANDBOX_REPLICAS: 'libsql://hush.example.com' }, /needs BROADSIDE_SANDBOX_DATABASE_URL/],
  [{ BROADSIDE_ADS_REPLICAS: 'libsql://hush.example.com', BROADSIDE_SHARED_URL: '' }, /needs BROADSIDE_SHARED_URL/],
  [
    { BROADSIDE_ADS_REPLICAS: 'hush=libsql://a', BROADSIDE_ADS_SHARDS: 'a=libsql://a' },
    /needs an entry in BROADSIDE_A/,
  ],
  [{ BROADSIDE_ADS_REPLICAS: 'a=libsql://hush', BROADSIDE_ADS_SHARDS: 'a=file:/a.db' }, /entry 1 is a replica of/],
])('%j is refused in one line', (env, message) => {
  expect(() => readConfig({ ...rest, ...env })).toThrow(ConfigError);
  expect(() => readConfig({ ...rest, ...env })).toThrow(message);
  expect(() => readConfig({ ...rest, ...env })).not.toThrow(/hush|\n/);
});
