import { describe, expect, test } from 'vitest';
import { type CardMediaFacts, type CardMediaSpec, cardMediaSpecs, checkCardMedia } from './media-rules.ts';

const MB = 1024 * 1024;
const image: CardMediaFacts = {
  media_key: '3_1',
  kind: 'photo',
  width: 1200,
  height: 628,
  duration_ms: null,
  bytes: 48_213,
  content_type: 'image/png',
};
const video: CardMediaFacts = {
  media_key: '7_1',
  kind: 'video',
  width: 1280,
  height: 720,
  duration_ms: 15_000,
  bytes: 4 * MB,
  content_type: 'video/mp4',
};

const messages = (facts: CardMediaFacts, spec: CardMediaSpec) =>
  checkCardMedia({ parameter: 'components', at: 'components[0].media_key' }, facts, spec).map(
    ({ error, message }) => `${error} ${message}`,
  );

describe('an image of a card', () => {
  test.each<[what: string, changes: Partial<CardMediaFacts>]>([
    ['1.91:1', {}],
    ['1:1', { width: 800, height: 800 }],
    ['800 pixels wide', { width: 800, height: 419 }],
    ['a ratio that is off by whole pixels', { width: 800, height: 416 }],
    ['3 MB', { bytes: 3 * MB }],
    ['JPEG', { content_type: 'image/jpeg' }],
    ['BMP', { content_type: 'image/bmp' }],
  ])('may have %s', (_, changes) => {
    expect(messages({ ...image, ...changes }, cardMediaSpecs.generic)).toEqual([]);
  });

  test.each<[what: string, changes: Partial<CardMediaFacts>, error: string]>([
    ['799 pixels wide', { width: 799, height: 418 }, 'an image at least 800 pixels wide, got 799'],
    ['2:1', { width: 1200, height: 600 }, 'with the aspect ratio 1:1 or 1.91:1, got 1200 x 600'],
    ['16:9', { width: 1280, height: 720 }, 'with the aspect ratio 1:1 or 1.91:1'],
    ['1:1.91', { width: 1200, height: 2292 }, 'with the aspect ratio 1:1 or 1.91:1'],
    ['over 3 MB', { bytes: 3 * MB + 1 }, 'of up to 3145728 bytes, got 3145729'],
    ['WebP', { content_type: 'image/webp' }, 'of the type image/bmp, image/jpeg, image/png, got image/webp'],
  ])('is not %s', (_, changes, error) => {
    expect(messages({ ...image, ...changes }, cardMediaSpecs.generic)).toEqual([
      expect.stringMatching(/^INVALID_IMAGE Expected an image /),
    ]);
    expect(messages({ ...image, ...changes }, cardMediaSpecs.generic)[0]).toContain(error);
  });
});

describe('a video of a card', () => {
  test.each<[what: string, changes: Partial<CardMediaFacts>]>([
    ['16:9', {}],
    ['1:1', { width: 720, height: 720 }],
    ['10 minutes', { duration_ms: 600_000 }],
    ['500 MB', { bytes: 500 * MB }],
    ['QuickTime', { content_type: 'video/quicktime' }],
  ])('may have %s', (_, changes) => {
    expect(messages({ ...video, ...changes }, cardMediaSpecs.generic)).toEqual([]);
  });

  test.each<[what: string, changes: Partial<CardMediaFacts>, error: string]>([
    ['4:3', { width: 960, height: 720 }, 'with the aspect ratio 16:9 or 1:1, got 960 x 720'],
    ['9:16', { width: 720, height: 1280 }, 'with the aspect ratio 16:9 or 1:1'],
    ['over 10 minutes', { duration_ms: 600_001 }, 'of up to 10 minutes, got 600001 ms'],
    ['over 500 MB', { bytes: 500 * MB + 1 }, 'of up to 524288000 bytes'],
    ['WebM', { content_type: 'video/webm' }, 'of the type video/mp4, video/quicktime, got video/webm'],
  ])('is not %s', (_, changes, error) => {
    expect(messages({ ...video, ...changes }, cardMediaSpecs.generic)).toEqual([
      expect.stringMatching(/^INVALID_MEDIA Expected a video /),
    ]);
    expect(messages({ ...video, ...changes }, cardMediaSpecs.generic)[0]).toContain(error);
  });
});

test('all reasons are reported', () => {
  const facts = { ...image, width: 100, height: 300, bytes: 4 * MB, content_type: 'image/webp' };
  expect(messages(facts, cardMediaSpecs.generic)).toHaveLength(4);
});

test.each<[what: string, spec: CardMediaSpec, facts: CardMediaFacts, error: string]>([
  [
    'an image conversation card takes no video',
    cardMediaSpecs.imageConversation,
    video,
    'Expected an image, got a video',
  ],
  [
    'a video conversation card takes no image',
    cardMediaSpecs.videoConversation,
    image,
    'Expected a video, got an image',
  ],
  ['a poll takes no square image', cardMediaSpecs.poll, { ...image, height: 1200 }, 'aspect ratio 1.91:1'],
  ['a poll takes no square video', cardMediaSpecs.poll, { ...video, height: 1280 }, 'aspect ratio 16:9'],
  ['an unlocked image is 5:2', cardMediaSpecs.unlockedImage, image, 'aspect ratio 5:2'],
  ['no card takes an animated GIF', cardMediaSpecs.poll, { ...image, kind: 'animated_gif' }, 'an image or a video'],
])('%s', (_, spec, facts, error) => {
  expect(messages(facts, spec)).toEqual([expect.stringContaining(error)]);
});
