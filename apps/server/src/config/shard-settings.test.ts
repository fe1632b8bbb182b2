import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const BROADSIDE_ADS_SHARDS = 'east=libsql://east.example.com,west=file:/srv/west.db';

function refusal(env: Readonly<Record<string, string>>): string {
  try {
    readConfig({ BROADSIDE_ADS_SHARDS, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'none';
}

test('shards have locations, and tokens where they are on servers', () => {
  const { shards } = readConfig({ BROADSIDE_ADS_SHARDS, BROADSIDE_ADS_SHARDS_AUTH_TOKENS: 'east=abc=' });
  expect(shards).toEqual({
    production: [
      { name: 'east', url: 'libsql://east.example.com', authToken: 'abc=' },
      { name: 'west', url: 'file:/srv/west.db', authToken: undefined },
    ],
  });
});

test.each([
  ['hush', 'entry 1 is wrong'],
  ['east=abc,hush==', 'names in entry 2 a shard that BROADSIDE_ADS_SHARDS lacks'],
  ['east=abc,hush=', 'entry 2 is wrong'],
  ['east=abc,Hush=hush', 'entry 2 is wrong'],
  ['hush=abc', 'names in entry 1 a shard that BROADSIDE_ADS_SHARDS lacks'],
  ['east=hush,east=hush', 'has the name of entry 2 twice'],
])('tokens %j are refused without a word of them', (tokens, message) => {
  const said = refusal({ BROADSIDE_ADS_SHARDS_AUTH_TOKENS: tokens });
  expect(said).toContain(`BROADSIDE_ADS_SHARDS_AUTH_TOKENS`);
  expect(said).toContain(message);
  expect(said).not.toMatch(/hush/i);
});

test.each([
  ['east', 'entry 1 is wrong'],
  ['directory=file:/srv/east.db', 'other than "directory"; entry 1 is wrong'],
  ['east=file:/srv/a.db,east=file:/srv/b.db', 'has the name of entry 2 twice'],
  ['east=nowhere', 'no location for east'],
])('shards %j are refused', (text, message) => {
  expect(refusal({ BROADSIDE_ADS_SHARDS: text })).toContain(message);
});
