/** Lists of a media library: specification B, Media library, GET. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { member } from '../../support/body.ts';
import { libraryMediaOf, uploadedFile } from '../../support/library.ts';
import { type Stage, scenarios } from '../../support/scenario.ts';
import { add, change, empty, keys } from './library.ts';

const scenario = scenarios();

/** Adds small images with these names. @returns their keys, in the order of their names */
async function named(stage: Stage, names: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (const name of names) {
    const media_key = await uploadedFile(stage.world, 'small_image');
    await add(stage, media_key, { name });
    made.push(media_key);
  }
  return made;
}

/** All pages of a list, by its cursor. */
async function pages(stage: Stage, params: Readonly<Record<string, unknown>>): Promise<string[][]> {
  const found: string[][] = [];
  let cursor: unknown;
  do {
    const outcome = await stage.call('media_library.list', { ...params, ...(cursor === undefined ? {} : { cursor }) });
    expect(outcome.errors).toEqual([]);
    const data = Array.isArray(outcome.data) ? outcome.data : [];
    found.push(data.map((media) => String(member(media, 'media_key'))));
    cursor = outcome.next_cursor;
  } while (typeof cursor === 'string');
  return found;
}

scenario('B-LIBRARY-LIST', async (stage) => {
  const { world, account_id } = stage;
  const images = await named(
    stage,
    Array.from({ length: 21 }, (_, i) => `Image ${i}`),
  );
  const gif = await libraryMediaOf(world, account_id, 'gif');
  const video = await libraryMediaOf(world, account_id, 'wide_video');
  const preroll = await libraryMediaOf(world, account_id, 'preroll_video');
  const all = [...images, gif, video, preroll].reverse();
  expect(await keys(stage)).toEqual(all.slice(0, 20));
  expect(await pages(stage, {})).toEqual([all.slice(0, 20), all.slice(20)]);
  expect(await pages(stage, { count: 50 })).toEqual([all]);
  expect((await pages(stage, { count: 12 })).map((page) => page.length)).toEqual([12, 12]);
  expect(await keys(stage, { media_type: 'GIF' })).toEqual([gif]);
  expect(await keys(stage, { media_type: 'VIDEO' })).toEqual([preroll, video]);
  expect((await pages(stage, { media_type: 'IMAGE', count: 10 })).flat()).toEqual([...images].reverse());
  expect(await keys(stage, { media_type: 'GIF', q: 'image' })).toEqual([]);
  // What comes and goes between two pages shifts nothing.
  const first = await stage.call('media_library.list', { count: 3 });
  await stage.ok('media_library.delete', { media_key: all[1] });
  await named(stage, ['Late']);
  expect(await keys(stage, { count: 3, cursor: first.next_cursor })).toEqual(all.slice(3, 6));
});

scenario('B-LIBRARY-LIST-BOUNDS', async (stage) => {
  expect(await keys(stage, { count: 50, q: 'q'.repeat(255) })).toEqual([]);
  for (const [parameter, value] of [
    ['count', 0],
    ['count', 51],
    ['q', ''],
    ['q', 'q'.repeat(256)],
    ['media_type', 'image'],
    ['cursor', 'c-1'],
    ['with_deleted', true],
    ['with_total_count', true],
    ['sort_by', ['name-asc']],
  ] as const) {
    const errors = await stage.rejected('media_library.list', { [parameter]: value });
    expect(errors, parameter).toMatchObject([{ code: 'INVALID_PARAMETER', parameter }]);
  }
});

scenario('B-LIBRARY-QUERY', async (stage) => {
  const { world } = stage;
  const video = await uploadedFile(world, 'wide_video');
  const texts = {
    name: 'Straße am Abend',
    title: 'BOOKS for Autumn',
    file_name: 'cut_2-final.MP4',
    description: '東京都 🍂',
  };
  await add(stage, video, texts);
  const [autumn = ''] = await named(stage, ['autumn: books, films', 'Unrelated']);
  for (const [q, expected] of [
    ['books', [autumn, video]],
    ['AUTUMN Books', [autumn, video]],
    ['books films', [autumn]],
    ['abend books final 2', [video]],
    ['strasse', [video]],
    ['STRASSE', [video]],
    ['mp4', [video]],
    ['cut', [video]],
    ['東京', [video]],
    ['京都', [video]],
    ['京', [video]],
    ['都東', []],
    ['🍂', [video]],
    ['book', []],
    ['autumn nothing', []],
    ['"autumn" -- %', [autumn, video]],
    ['!?', []],
    ['VIDEO', []],
  ] as const) {
    expect(await keys(stage, { q }), q).toEqual(expected);
  }
  expect(await keys(stage, { q: 'books', media_type: 'VIDEO' })).toEqual([video]);
  expect(await pages(stage, { q: 'books', count: 1 })).toEqual([[autumn], [video]]);
});

scenario('B-LIBRARY-QUERY-WRITES', async (stage) => {
  const words = ['red', 'green', 'blue', 'Grün', 'bücher', '東京', '東'];
  const media: string[] = [];
  for (let i = 0; i < 8; i++) media.push(await uploadedFile(stage.world, 'small_image'));
  /** Names of the media that are in the library, the newest last. */
  const model = new Map<string, string | null>();
  const text = fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((some) => some.join(' ') || null);
  const step = fc.record({
    media_key: fc.constantFrom(...media),
    kind: fc.constantFrom('add', 'change', 'delete'),
    name: text,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.constantFrom(...words), async (steps, q) => {
      for (const { media_key, kind, name } of steps) {
        const given = name ?? empty(stage);
        if (kind === 'add') {
          if (model.has(media_key)) {
            await add(stage, media_key, name === null ? {} : { name });
            if (name !== null) model.set(media_key, name);
          } else {
            await add(stage, media_key, name === null ? {} : { name });
            model.set(media_key, name);
          }
        } else if (!model.has(media_key)) {
        } else if (kind === 'change') {
          await change(stage, media_key, { name: given });
          model.set(media_key, name);
        } else {
          await stage.ok('media_library.delete', { media_key });
          model.delete(media_key);
        }
      }
      const newest = [...model].reverse();
      expect((await pages(stage, { count: 3 })).flat()).toEqual(newest.map(([key]) => key));
      const has = (name: string | null) =>
        (name ?? '')
          .split(' ')
          .some((word) => word.toLowerCase() === q.toLowerCase() || (q === '東' && word === '東京'));
      const expected = newest.flatMap(([key, name]) => (has(name) ? [key] : []));
      expect((await pages(stage, { q, count: 2 })).flat()).toEqual(expected);
    }),
    { numRuns: 15 },
  );
});
