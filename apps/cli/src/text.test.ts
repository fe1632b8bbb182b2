import { describe, expect, test } from 'vitest';
import { cut, pad, printable, shellWord, width, wrap } from './text.ts';

describe('text of others', () => {
  test.each([
    ['plain', 'plain'],
    ['\u001b[31mred', '␛[31mred'],
    ['two\nlines\tand a tab', 'two␊lines␉and a tab'],
    ['\u009b31m', '\\u009b31m'],
    ['abc\u202edef', 'abc\\u202edef'],
    ['日本語 👍🏽', '日本語 👍🏽'],
  ])('%j cannot steer the terminal', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe('width', () => {
  test('wide characters take two columns, also when cut and padded', () => {
    expect(width('日本')).toBe(4);
    expect(cut('日本語', 5)).toBe('日本…');
    expect(cut('日本語', 4)).toBe('日…');
    expect(cut('short', 5)).toBe('short');
    expect(pad('日', 4)).toBe('日  ');
    expect(pad('7', 3, 'right')).toBe('  7');
  });
});

test('text is broken between words, never within one', () => {
  expect(wrap('one two averyverylongword three', 8, '  ')).toBe('one two\n  averyverylongword\n  three');
});

test.each([
  ['plain', 'plain'],
  ['two words', "'two words'"],
  ["it's", `'it'\\''s'`],
  ['', "''"],
  ['$HOME', "'$HOME'"],
])('%j is one word for a shell', (word, quoted) => {
  expect(shellWord(word)).toBe(quoted);
});
