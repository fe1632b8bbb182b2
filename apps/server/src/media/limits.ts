/** Size, duration and dimension limits of uploads, by category (reference, media upload). */
import { type MediaCategory, type MediaKind, mediaCategories } from '@broadside/core/resources/media';
import type { MediaFacts, MediaRejection } from './inspection.ts';

/** A megabyte of the limits; the reference does not define it (our choice). */
const MB = 1024 * 1024;

/** Limits of a category. Absent members are not limited. */
export interface MediaLimits {
  readonly bytes: number;
  /** The longer and the shorter side, in pixels, in either orientation. */
  readonly sides?: { readonly longer: number; readonly shorter: number };
  readonly least_side?: number;
  /** Maximum ratio of the longer to the shorter side. */
  readonly ratio?: number;
  readonly frames?: number;
  /** Width times height times frames. */
  readonly pixels?: number;
  readonly least_duration_ms?: number;
  readonly duration_ms?: number;
  readonly frame_rate?: number;
}

const image: MediaLimits = { bytes: 5 * MB };
const gif: MediaLimits = {
  bytes: 15 * MB,
  sides: { longer: 1280, shorter: 1080 },
  frames: 350,
  pixels: 300_000_000,
};
const video: MediaLimits = {
  bytes: 512 * MB,
  sides: { longer: 1280, shorter: 1024 },
  least_side: 32,
  ratio: 3,
  least_duration_ms: 500,
  duration_ms: 140_000,
  frame_rate: 60,
};
const promotedVideo: MediaLimits = { bytes: 500 * MB, duration_ms: 600_000 };
const subtitles: MediaLimits = { bytes: MB };

/** The limits of each category. Direct messages have those of posts; the size of subtitles is our choice. */
export const mediaLimits: Readonly<Record<MediaCategory, MediaLimits>> = {
  amplify_video: promotedVideo,
  post_gif: gif,
  post_image: image,
  post_video: video,
  dm_gif: gif,
  dm_image: image,
  dm_video: video,
  subtitles,
};

/** Maximum size of an image in any category. */
export const LARGEST_IMAGE_BYTES = gif.bytes;

/** Reason why a category does not accept media, besides the rejections of inspection. */
export type CategoryRejection = Omit<MediaRejection, 'reason'> & {
  readonly reason: 'wrong_category' | 'too_large' | 'too_small' | 'too_long' | 'too_short' | 'unsupported';
};

const kindNames: Readonly<Record<MediaKind, string>> = {
  photo: 'a still image',
  animated_gif: 'an animated GIF',
  video: 'a video',
};

/** Checks media against a category: its kind first, then its limits. */
export function checkCategory(facts: MediaFacts, category: MediaCategory): CategoryRejection | undefined {
  const { kind } = mediaCategories[category];
  if (kind !== facts.kind) {
    const wanted = kind === 'subtitles' ? 'subtitles' : kindNames[kind];
    return rejection(
      'wrong_category',
      `The category ${category} takes ${wanted}, but this is ${kindNames[facts.kind]}.`,
    );
  }
  if (facts.media_type === 'image/webp' && facts.frames !== undefined) {
    return rejection('unsupported', 'The WebP is animated; an animation is taken as a GIF or a video.');
  }
  return checkLimits(facts, mediaLimits[category]);
}

function checkLimits(facts: MediaFacts, limits: MediaLimits): CategoryRejection | undefined {
  const { width, height, frames = 1, duration_ms = 0, frame_rate = 0 } = facts;
  const longer = Math.max(width, height);
  const shorter = Math.min(width, height);
  const size = `${width}×${height}`;
  if (facts.size_bytes > limits.bytes) {
    return rejection('too_large', `The file has ${facts.size_bytes} bytes; at most ${limits.bytes} are taken.`);
  }
  if (limits.sides && (longer > limits.sides.longer || shorter > limits.sides.shorter)) {
    return rejection('too_large', `It is ${size}; at most ${limits.sides.longer}×${limits.sides.shorter} is taken.`);
  }
  if (limits.least_side !== undefined && shorter < limits.least_side) {
    return rejection('too_small', `It is ${size}; at least ${limits.least_side}×${limits.least_side} is taken.`);
  }
  if (limits.ratio !== undefined && longer > shorter * limits.ratio) {
    return rejection('unsupported', `It is ${size}; sides from 1:${limits.ratio} to ${limits.ratio}:1 are taken.`);
  }
  if (limits.frames !== undefined && frames > limits.frames) {
    return rejection('too_long', `It has ${frames} frames; at most ${limits.frames} are taken.`);
  }
  if (limits.pixels !== undefined && width * height * frames > limits.pixels) {
    return rejection('too_large', `Its ${frames} frames of ${size} are over ${limits.pixels} pixels in all.`);
  }
  if (limits.least_duration_ms !== undefined && duration_ms < limits.least_duration_ms) {
    return rejection('too_short', `It takes ${duration_ms} ms; at least ${limits.least_duration_ms} are taken.`);
  }
  if (limits.duration_ms !== undefined && duration_ms > limits.duration_ms) {
    return rejection('too_long', `It takes ${duration_ms} ms; at most ${limits.duration_ms} are taken.`);
  }
  if (limits.frame_rate !== undefined && frame_rate > limits.frame_rate) {
    return rejection('unsupported', `It has ${frame_rate} frames a second; at most ${limits.frame_rate} are taken.`);
  }
  return undefined;
}

function rejection(reason: CategoryRejection['reason'], message: string): CategoryRejection {
  return { reason, message };
}
