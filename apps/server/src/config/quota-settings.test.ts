import { quotas } from '@broadside/core';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('quotas are the published ones unless some are given', () => {
  expect(readConfig({}).quotas).toEqual({});
  expect(readConfig({ BROADSIDE_QUOTAS: 'draft_posts=20000, unused_media=0' }).quotas).toEqual({
    draft_posts: 20_000,
    unused_media: 0,
  });
});

test.each(Object.keys(quotas))('%s can be given', (name) => {
  expect(readConfig({ BROADSIDE_QUOTAS: `${name}=7` }).quotas).toEqual({ [name]: 7 });
});

test.for(['drafts=1', 'draft_posts', 'draft_posts=-1', 'draft_posts=1.5', 'draft_posts=1e9', 'toString=1', ''])(
  '"%s" is rejected with the names',
  (part) => {
    const read = () => readConfig({ BROADSIDE_QUOTAS: `cards=1,${part}` });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(`BROADSIDE_QUOTAS has "${part}"; it must be name=figure with a name of draft_posts, `);
  },
);
