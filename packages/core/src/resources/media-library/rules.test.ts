import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { mediaCategories } from '../media/categories.ts';
import { libraryMediaCategories, libraryMediaTypes } from './entity.ts';
import { aspectRatio, checkLibraryTexts, libraryCategoryOf, stillKeyOf } from './rules.ts';

test.each([
  [1280, 720, '16:9'],
  [720, 1280, '9:16'],
  [125, 79, '125:79'],
  [800, 800, '1:1'],
  [320, 50, '32:5'],
])('%d x %d is %s', (width, height, ratio) => {
  expect(aspectRatio(width, height)).toBe(ratio);
});

test('a ratio is that of the sizes, with no smaller whole numbers', () => {
  const size = fc.integer({ min: 1, max: 8192 });
  fc.assert(
    fc.property(size, size, (width, height) => {
      const [w = 0, h = 0] = aspectRatio(width, height).split(':').map(Number);
      expect(w * height).toBe(h * width);
      for (let by = 2; by <= Math.min(w, h, 50); by++) expect(w % by === 0 && h % by === 0).toBe(false);
    }),
  );
});

test('the key of a still has the prefix of images and the digits of the media', () => {
  expect(stillKeyOf('13_1503831318555086850')).toBe('3_1503831318555086850');
});

test('a library holds media of posts and pre-rolls, of each type and category that it names', () => {
  const names = Object.keys(mediaCategories) as (keyof typeof mediaCategories)[];
  const held = names.flatMap((name) => libraryCategoryOf(name) ?? []);
  expect(held.map(({ media_category }) => media_category).sort()).toEqual([...libraryMediaCategories]);
  expect(new Set(held.map(({ media_type }) => media_type))).toEqual(new Set(libraryMediaTypes));
  for (const name of ['dm_gif', 'dm_image', 'dm_video', 'subtitles'] as const) {
    expect(libraryCategoryOf(name), name).toBeUndefined();
  }
});

describe('what is said about media', () => {
  it.each([
    ['IMAGE', { name: 'n', file_name: 'f' }, []],
    ['IMAGE', { title: null, description: null, poster_media_key: null }, []],
    ['IMAGE', { title: 't', description: 'd', poster_media_key: '3_2' }, ['title', 'description', 'poster_media_key']],
    ['IMAGE', { poster_media_key: '3_1' }, ['poster_media_key']],
    ['GIF', { title: 't', description: 'd' }, []],
    ['GIF', { poster_media_key: '3_1' }, []],
    ['GIF', { poster_media_key: '3_2' }, ['poster_media_key']],
    ['VIDEO', { title: 't', description: 'd', poster_media_key: '3_2' }, []],
  ] as const)('%s %j', (media_type, texts, wrong) => {
    const issues = checkLibraryTexts({ media_key: '16_1', media_type }, texts);
    expect(issues.map(({ parameter }) => parameter)).toEqual(wrong);
  });
});
