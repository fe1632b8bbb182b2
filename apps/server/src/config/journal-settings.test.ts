import { expect, test } from 'vitest';
import { usualJournal } from '../journal/records.ts';
import { readConfig } from './config.ts';

const journalOf = (BROADSIDE_JOURNAL: string | undefined, BROADSIDE_MODE = 'development') =>
  readConfig({ BROADSIDE_JOURNAL, BROADSIDE_MODE }).journal;

test('a journal is kept in development mode, and in production mode where it is asked for', () => {
  expect(journalOf(undefined)).toEqual(usualJournal);
  expect(journalOf(undefined, 'production')).toBeUndefined();
  expect(journalOf('on', 'production')).toEqual(usualJournal);
  expect(journalOf('off')).toBeUndefined();
});

test('its figures can be set, each for itself', () => {
  expect(journalOf('calls=20, body_kb=2', 'production')).toEqual({ ...usualJournal, calls: 20, body: 2048 });
  expect(journalOf('megabytes=1')).toEqual({ ...usualJournal, bytes: 1_000_000 });
});

test.each(['calls', 'calls=0', 'calls=10001', 'size=3', 'calls=-1'])(
  '%s is rejected, and the names are said',
  (text) => {
    expect(() => journalOf(text)).toThrow(
      `BROADSIDE_JOURNAL has "${text}"; it must be on, off, or name=figure with a name of calls (up to 10000), megabytes (up to 1000), body_kb (up to 64).`,
    );
  },
);
