import { type MediaCategory, mediaCategories } from '@broadside/core/resources/media';
import { describe, expect, test } from 'vitest';
import { inspectMedia } from './inspect.ts';
import type { MediaFacts } from './inspection.ts';
import { checkCategory, mediaLimits } from './limits.ts';
import { encodeAnimatedWebp, encodeGif, encodePng } from './testing/images.ts';
import { encodeMp4 } from './testing/videos.ts';

const MB = 1024 * 1024;
const photo: MediaFacts = { media_type: 'image/png', kind: 'photo', size_bytes: 1, width: 9000, height: 1 };
const gif: MediaFacts = {
  media_type: 'image/gif',
  kind: 'animated_gif',
  size_bytes: 1,
  width: 100,
  height: 100,
  frames: 2,
  duration_ms: 10,
};
const video: MediaFacts = {
  media_type: 'video/mp4',
  kind: 'video',
  size_bytes: 1,
  width: 640,
  height: 360,
  duration_ms: 5000,
  frames: 100,
  frame_rate: 30,
};

const reasonOf = (facts: MediaFacts, category: MediaCategory) => checkCategory(facts, category)?.reason;

test('every category has limits', () => {
  expect(Object.keys(mediaLimits).sort()).toEqual(Object.keys(mediaCategories).sort());
});

test('a category accepts only its own kind', () => {
  const fitting = { photo: ['post_image', 'dm_image'], animated_gif: ['post_gif', 'dm_gif'] };
  for (const category of Object.keys(mediaLimits) as MediaCategory[]) {
    expect(reasonOf(photo, category)).toBe(fitting.photo.includes(category) ? undefined : 'wrong_category');
    expect(reasonOf(gif, category)).toBe(fitting.animated_gif.includes(category) ? undefined : 'wrong_category');
    const takesVideo = ['post_video', 'dm_video', 'amplify_video'].includes(category);
    expect(reasonOf(video, category)).toBe(takesVideo ? undefined : 'wrong_category');
  }
});

describe('limits are exact', () => {
  test.each<[string, MediaFacts, MediaCategory, Partial<MediaFacts>, Partial<MediaFacts>, string]>([
    ['bytes of an image', photo, 'post_image', { size_bytes: 5 * MB }, { size_bytes: 5 * MB + 1 }, 'too_large'],
    ['bytes of a GIF', gif, 'post_gif', { size_bytes: 15 * MB }, { size_bytes: 15 * MB + 1 }, 'too_large'],
    ['bytes of a video', video, 'post_video', { size_bytes: 512 * MB }, { size_bytes: 512 * MB + 1 }, 'too_large'],
    [
      'bytes of a promoted video',
      video,
      'amplify_video',
      { size_bytes: 500 * MB },
      { size_bytes: 500 * MB + 1 },
      'too_large',
    ],
    ['width of a GIF', gif, 'post_gif', { width: 1280 }, { width: 1281 }, 'too_large'],
    ['height of a GIF', gif, 'post_gif', { width: 1280, height: 1080 }, { width: 1280, height: 1081 }, 'too_large'],
    ['a GIF on its side', gif, 'post_gif', { width: 1080, height: 1280 }, { width: 1080, height: 1281 }, 'too_large'],
    ['frames of a GIF', gif, 'post_gif', { frames: 350 }, { frames: 351 }, 'too_long'],
    [
      'pixels of a GIF',
      gif,
      'post_gif',
      { width: 1000, height: 1000, frames: 300 },
      { width: 1000, height: 1000, frames: 301 },
      'too_large',
    ],
    ['a short video', video, 'post_video', { duration_ms: 500 }, { duration_ms: 499 }, 'too_short'],
    ['a long video', video, 'post_video', { duration_ms: 140_000 }, { duration_ms: 140_001 }, 'too_long'],
    ['a long promoted video', video, 'amplify_video', { duration_ms: 600_000 }, { duration_ms: 600_001 }, 'too_long'],
    ['a small video', video, 'post_video', { width: 32, height: 32 }, { width: 32, height: 31 }, 'too_small'],
    ['a large video', video, 'post_video', { width: 1280, height: 1024 }, { width: 1280, height: 1025 }, 'too_large'],
    [
      'a large video on its side',
      video,
      'post_video',
      { width: 1024, height: 1280 },
      { width: 1025, height: 1280 },
      'too_large',
    ],
    ['a wide video', video, 'post_video', { width: 300, height: 100 }, { width: 301, height: 100 }, 'unsupported'],
    ['a tall video', video, 'post_video', { width: 100, height: 300 }, { width: 100, height: 301 }, 'unsupported'],
    ['frames a second', video, 'post_video', { frame_rate: 60 }, { frame_rate: 60.001 }, 'unsupported'],
  ])('%s', (_, facts, category, most, more, reason) => {
    expect(checkCategory({ ...facts, ...most }, category)).toBeUndefined();
    expect(reasonOf({ ...facts, ...more }, category)).toBe(reason);
  });
});

test('inspected media are checked: images, animations, videos', async () => {
  const judge = async (bytes: Buffer, category: MediaCategory) => {
    const found = await inspectMedia(bytes);
    return 'reason' in found ? found : checkCategory(found, category);
  };
  expect(await judge(encodePng(9, 9), 'post_image')).toBeUndefined();
  expect(await judge(encodeGif(9, 9), 'post_image')).toBeUndefined();
  expect(await judge(encodeGif(9, 9, [5, 5]), 'post_gif')).toBeUndefined();
  expect(await judge(encodeGif(9, 9), 'post_gif')).toEqual({
    reason: 'wrong_category',
    message: 'The category post_gif takes an animated GIF, but this is a still image.',
  });
  expect(await judge(encodeAnimatedWebp(9, 9, [5, 5]), 'post_image')).toMatchObject({ reason: 'unsupported' });
  expect(await judge(encodeMp4(), 'post_video')).toBeUndefined();
  expect(await judge(encodeMp4({ seconds: 200 }), 'post_video')).toMatchObject({ reason: 'too_long' });
});
