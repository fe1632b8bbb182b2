import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { loadDialects } from './dialects.ts';
import { readDialectFile } from './read-file.ts';

const head = 'name: example\ndescription: For tests.\n';

test.for<[string, string]>([
  ['names: [', 'example.yaml:3:9: '],
  ['names:\n  tweet_id: post_id\n  tweet_id: post_ids\n', 'example.yaml:5:3: Map keys must be unique'],
  ['nmaes: {}\n', 'example.yaml:3:8: nmaes: there is no such member here'],
  [
    'names:\n  tweet_id: pots_id\n',
    'example.yaml:4:13: names.tweet_id: "pots_id" is no name of the interface; did you mean "post_id"?',
  ],
  ['names:\n  tweet_id: 5\n', 'example.yaml:4:13: names.tweet_id: expected string'],
  ['names:\n  "a b": post_id\n', 'example.yaml:4:10: names.a b: expected a word of letters'],
  ['hosts:\n  ads: [https://ads.example.com/]\n', 'example.yaml:4:9: hosts.ads.0: expected an origin without a path'],
  ['tolerance:\n  repeated_names: maybe\n', 'example.yaml:4:19: tolerance.repeated_names: expected boolean'],
  ['prefix: /a/b\n', 'example.yaml:3:9: prefix: expected one segment such as /example'],
])('%j is rejected with its place, in one line', ([text, message]) => {
  expect(() => readDialectFile(head + text, 'example.yaml')).toThrow(message);
  try {
    readDialectFile(head + text, 'example.yaml');
  } catch (error) {
    expect(String(error)).not.toContain('\n');
  }
});

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-dialects-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('dialects are chosen by the configuration: shipped ones by name, others by path', async () => {
  expect(readConfig({}).dialects).toEqual({ load: ['twitter'], own: {} });
  expect(readConfig({ BROADSIDE_DEMO: '0' }).dialects.load).toEqual([]);
  expect(readConfig({ BROADSIDE_DIALECTS: 'none' }).dialects.load).toEqual([]);
  const file = path.join(directory, 'example.yaml');
  writeFileSync(file, `${head}names:\n  tweet_id: post_id\n`);
  const { dialects } = readConfig({
    BROADSIDE_DIALECTS: `twitter, ${file}`,
    BROADSIDE_LISTENER_DIALECTS: 'ads=example',
  });
  const { files, own } = await loadDialects(dialects);
  expect(files.map(({ name }) => name)).toEqual(['twitter', 'example']);
  expect(own).toEqual({ ads: 'example' });
});

test.for<[Parameters<typeof readConfig>[0], string]>([
  [{ BROADSIDE_DIALECTS: 'twiter' }, 'no dialect "twiter" is shipped. Those that are: twitter'],
  [{ BROADSIDE_DIALECTS: './nix.yaml' }, 'The dialect ./nix.yaml cannot be read: '],
  [{ BROADSIDE_DIALECTS: 'twitter,twitter' }, 'both have "twitter"; load one of them'],
  [{ BROADSIDE_LISTENER_DIALECTS: 'ads=nix' }, 'ads=nix is none of the dialects that are loaded: twitter'],
  [{ BROADSIDE_LISTENER_DIALECTS: 'adds=twitter' }, 'must be listener=dialect with a listener of api, ads, sandbox'],
])('%j is rejected', async ([env, message]) => {
  await expect(async () => loadDialects(readConfig(env).dialects)).rejects.toThrow(message);
});
