import { costRatio } from '@broadside/cost-ratio';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markedWordsOf, wordGroupsOf, wordMarks, wordsOf } from './words.ts';

describe('the words of a text', () => {
  test.for([
    [
      'in small letters, without marks',
      'The Rain-Garden, again: #TeaTime!',
      ['the', 'rain', 'garden', 'again', 'teatime'],
    ],
    ['with letters of any script', 'Ёлка İzmir मोहल्ले حديقة_الحي', ['ёлка', 'i̇zmir', 'मोहल्ले', 'حديقة_الحي']],
    ['numbers are words', '3.5 boats 42', ['3', '5', 'boats', '42']],
    ['one letter written in two ways is one', 'caf\u00e9 cafe\u0301', ['café', 'café']],
    ['wide and narrow forms are one', 'ＴＥＡ ｶﾞ', ['tea', 'ガ']],
    ['an emoji is a word, its colour and form are not', '🙌🏽 ❤️ 🇵🇹', ['🙌', '❤', '🇵🇹']],
    [
      'one word for each character where there are no spaces',
      '夜行列車 サーバー',
      ['夜', '行', '列', '車', 'サ', 'ー', 'バ', 'ー'],
    ],
    ['links are ignored', 'see https://tea.example.com/tea?tea=1 now', ['see', 'now']],
    ['punctuation alone is not a word', ' ?! … \u200d\ufe0f ', []],
  ] as const)('%s', ([, text, expected]) => {
    expect(wordsOf(text)).toEqual(expected);
  });

  test('are found in order, regardless of the characters around them', () => {
    const word = fc.constantFrom('tea', 'rain', '夜', 'é', '42', 'حديقة');
    fc.assert(
      fc.property(
        fc.array(word),
        fc.array(fc.constantFrom(' ', ', ', '!', ' - ', '\n'), { minLength: 40 }),
        (words, marks) => {
          const text = words.map((one, i) => `${marks[i % marks.length]} ${one.toUpperCase()}`).join('');
          expect(wordsOf(text)).toEqual(words);
        },
      ),
    );
  });

  test('take time that grows with the length of their text, not with its square', async () => {
    for (const unit of ['a', '夜', 'https://', '\u0301', '🇵', '\u200d', '#', 'a b']) {
      const [long, short] = [unit.repeat(96_000), unit.repeat(6_000)];
      wordsOf(short);
      // 16 times the length: 256 times the time if it grew with the square.
      const ratio = await costRatio(
        () => wordsOf(long),
        () => wordsOf(short),
        100,
      );
      expect(ratio, unit).toBeLessThan(100);
    }
  });
});

describe('the mark of a word', () => {
  const { joined, apart, hashtag, handle } = wordMarks;
  test.each([
    ['tells what is before it', 'Tea #Rain @boat, (#x)', [apart, hashtag, handle, hashtag]],
    ['tells whether it continues the word before', '夜行 列、車ab', [apart, joined, apart, apart, joined]],
    ['is that of NFKC', '＃tea ＠boat', [hashtag, handle]],
    ['is no mark within an address', 'mail@example.com x#y _@z', [apart, apart, apart, apart, apart, apart, apart]],
    ['begins after a link', 'https://a.example#x tea', [apart]],
    ['of a repeated word is its own', 'tea #tea tea', [apart, hashtag, apart]],
  ] as const)('%s', (_, text, expected) => {
    expect(markedWordsOf(text).marks).toEqual(expected);
  });

  test('accompanies each word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const { words, marks } = markedWordsOf(text);
        expect(words).toEqual(wordsOf(text));
        expect(marks).toHaveLength(words.length);
      }),
    );
  });
});

test('the words of a keyword stay adjacent where no space separates them', () => {
  expect(wordGroupsOf(' rain-garden  +tea 夜行 !! ')).toEqual([['rain', 'garden'], ['tea'], ['夜', '行']]);
});
