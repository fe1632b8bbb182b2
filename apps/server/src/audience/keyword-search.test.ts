/** Related keywords of posts that are written for the purpose, in every kind of script. */
import { markedWordsOf } from '@broadside/core/resources/audience-estimate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pace } from '../pace.ts';
import { BLOCK_SIZE, BLOCK_WORDS } from './compressed-set.ts';
import { searchRelated, searchWindow } from './keyword-search.ts';
import type { Keywords } from './keywords.ts';
import { PostSample } from './post-sample.ts';
import { PostWords } from './post-words.ts';

const everybody = new Uint32Array(64).fill(0xffffffff);
const keywordsOf = (any: readonly string[], none: readonly string[] = []): Keywords => {
  const words = (list: readonly string[]) => list.map((keyword) => markedWordsOf(keyword).words);
  return { any: words(any), none: words(none) };
};

/** Words of posts, each by another of many people unless an author is named. */
class Written {
  readonly words = new PostWords();
  #serial = 0;

  add(text: string, { author = this.#serial % 2000, lang = 'en' } = {}): void {
    const id = BigInt(++this.#serial);
    this.words.add({ id, author, created_ms: this.#serial * 1000, lang, ...markedWordsOf(text) });
  }

  related(any: readonly string[], none: readonly string[] = []): Promise<string[]> {
    const searched = { words: this.words, from_ms: 0, to_ms: Number.POSITIVE_INFINITY, authors: everybody };
    return searchRelated(searched, keywordsOf(any, none), new Pace());
  }
}

/** About two subjects, in turn. */
function about(first: (i: number) => string, second: (i: number) => string, lang = 'en'): Written {
  const written = new Written();
  for (let i = 0; i < 60; i++) {
    written.add(first(i), { lang });
    written.add(second(i), { lang });
  }
  return written;
}

const pick = (list: readonly string[], i: number, step = 1) => list[(i * step) % list.length] ?? '';

describe('related keywords', () => {
  test('are shown with # and @ where they are mostly written so', async () => {
    const written = about(
      (i) => `storm ${i % 3 === 0 ? 'weather' : '#weather'} ${i % 3 === 0 ? '#ferry' : 'ferry'} says @radio_seven`,
      () => 'bread from the oven, says somebody',
    );
    expect((await written.related(['storm'])).toSorted()).toEqual(['#weather', '@radio_seven', 'ferry']);
  });

  test('are words in Chinese, not characters or fragments', async () => {
    const tea = ['龙井茶', '普洱', '乌龙', '茶壶', '铁观音'];
    const rail = ['火车票', '站台', '车厢', '高铁'];
    const written = about(
      (i) => `茶馆里有${pick(tea, i)}和${pick(tea, i, 2)}很好`,
      (i) => `路上看到${pick(rail, i)}和${pick(rail, i, 3)}很好`,
      'zh',
    );
    const related = await written.related(['茶馆']);
    for (const word of tea) expect(related).toContain(word);
    for (const word of ['井茶', '铁观', '观音', '茶', '很好', '火车票']) expect(related).not.toContain(word);
  });

  test('are whole words in katakana, and sequences in Thai', async () => {
    const japanese = about(
      (i) => `喫茶で${pick(['エスプレッソ', 'カプチーノ', 'プレス'], i)}を飲む`,
      (i) => `公園で${pick(['サッカー', 'テニス', 'スプリント'], i)}をする`,
      'ja',
    );
    const found = await japanese.related(['喫茶']);
    expect(found).toEqual(expect.arrayContaining(['エスプレッソ', 'カプチーノ', 'プレス']));
    expect(found.filter((word) => /^[ァ-ー]+$/u.test(word))).toHaveLength(3);
    const thai = about(
      (i) => `ชาวันนี้ ${pick(['กาแฟเย็น', 'นมสด'], i)}`,
      (i) => `รถไฟ ${pick(['สถานี', 'ตั๋ว'], i)}`,
      'th',
    );
    expect(await thai.related(['ชาวันนี้'])).toEqual(expect.arrayContaining(['กาแฟเย็น', 'นมสด']));
  });

  test('do not contain what is common to the language of the posts', async () => {
    const written = new Written();
    for (let i = 0; i < 400; i++) written.add(`the ship number word${i % 50} arrives in english`);
    for (let i = 0; i < 100; i++) {
      written.add(`${i < 30 ? 'kahvi pannu' : 'laiva meri'} olla mutta niin kuin${i % 2}`, { lang: 'fi' });
    }
    expect(await written.related(['kahvi'])).toEqual(['pannu']);
  });

  test('are not made by repetition', async () => {
    const written = new Written();
    for (let i = 0; i < 40; i++) written.add('storm weather today');
    for (let i = 0; i < 300; i++) written.add('storm buyshoes', { author: 7 });
    for (let i = 0; i < 300; i++) written.add('storm buyhats', { author: 7 + (i % 2) });
    for (let i = 0; i < 200; i++) written.add(`bread number${i % 20}`);
    expect(await written.related(['storm'])).toEqual(['weather']);
  });

  test('rank by how many people write them, not by how often one of them does', async () => {
    const written = new Written();
    for (let i = 0; i < 40; i++) written.add('storm weather today');
    for (let i = 0; i < 300; i++) written.add('storm buyshoes', { author: i < 3 ? i : 7 });
    for (let i = 0; i < 200; i++) written.add(`bread number${i % 20}`);
    expect(await written.related(['storm'])).toEqual(['weather', 'buyshoes']);
  });

  test('come from posts without the negative keywords', async () => {
    const written = about(
      (i) => (i % 2 === 0 ? 'storm weather' : 'storm theatre'),
      () => 'bread and butter',
    );
    expect((await written.related(['storm'])).toSorted()).toEqual(['theatre', 'weather']);
    expect(await written.related(['storm'], ['theatre'])).toEqual(['weather']);
  });

  test('are the same each time', async () => {
    const written = about(
      (i) => `storm ${Array.from({ length: 4 }, (_, n) => `word${(i * 7 + n * n) % 40}`).join(' ')}`,
      (i) => `bread other${i % 30}`,
    );
    const once = await written.related(['storm']);
    expect(once.length).toBeGreaterThan(10);
    expect(await written.related(['storm'])).toEqual(once);
  });
});

test('a long search gives way to other work after each step', async () => {
  const written = about(
    () => 'storm weather',
    () => 'bread',
  );
  let steps = 0;
  const pace = {
    isOver: true,
    step: async () => {
      steps++;
    },
  };
  const searched = { words: written.words, from_ms: 0, to_ms: 1e9, authors: everybody };
  await searchWindow(searched, keywordsOf(['storm']), { count: 1, length_ms: 1e6 }, pace);
  // Once for each post that is read, at least.
  expect(steps).toBeGreaterThan(120);
});

test('a sample is every n-th of all posts, however many there are', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 50 }),
      fc.array(fc.uniqueArray(fc.nat(300), { maxLength: 60 }), { maxLength: 8 }),
      (capacity, blocks) => {
        const sample = new PostSample(capacity);
        const all: number[] = [];
        for (const [index, members] of blocks.entries()) {
          const bits = new Uint32Array(BLOCK_WORDS);
          for (const member of members) bits[member >>> 5] = (bits[member >>> 5] ?? 0) | (1 << (member & 31));
          sample.offer(index * BLOCK_SIZE, bits);
          all.push(...members.toSorted((a, b) => a - b).map((member) => index * BLOCK_SIZE + member));
        }
        expect(sample.seen).toBe(all.length);
        const stride = all.indexOf(sample.posts[1] ?? -1);
        const expected = sample.posts.length < 2 ? all.slice(0, 1) : all.filter((_, i) => i % stride === 0);
        expect([...sample.posts]).toEqual(expected);
        expect(sample.posts.length).toBeLessThanOrEqual(capacity);
        expect(sample.posts.length).toBeGreaterThanOrEqual(Math.min(all.length, Math.floor(capacity / 2)));
      },
    ),
  );
});
