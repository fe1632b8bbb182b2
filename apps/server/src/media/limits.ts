/** How large, long and wide uploads may be, by category (reference, media upload). */
import { type MediaCategory, type MediaKind, mediaCategories } from '@broadside/core/resources/media';
import type { MediaFacts, MediaRefusal } from './inspection.ts';

/** A megabyte of the limits; the reference does not say which (our choice). */
const MB = 1024 * 1024;

/** Limits of a category. What is absent is not limited. */
export interface MediaLimits {
  readonly bytes: number;
  /** The longer and the shorter side, in pixels, whichever way the picture is turned. */
  readonly sides?: { readonly longer: number; readonly shorter: number };
  readonly least_side?: number;
  /** How many times the shorter side fits into the longer. */
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

/** The limits of each category. Direct messages take what posts take; the size of subtitles is our choice. */
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

/** No image of any category is larger. */
export const LARGEST_IMAGE_BYTES = gif.bytes;

/** Why media is not taken in a category, beyond what inspection refuses. */
export type CategoryRefusal = Omit<MediaRefusal, 'reason'> & {
  readonly reason: 'wrong_category' | 'too_large' | 'too_small' | 'too_long' | 'too_short' | 'unsupported';
};

const kindNames: Readonly<Record<MediaKind, string>> = {
  photo: 'a still image',
  animated_gif: 'an animated GIF',
  video: 'a video',
};

/** Holds what was found against a category: its kind first, then its limits. */
export function refuseForCategory(facts: MediaFacts, category: MediaCategory): CategoryRefusal | undefined {
  const { kind } = mediaCategories[category];
  if (kind !== facts.kind) {
    const wanted = kind === 'subtitles' ? 'subtitles' : kindNames[kind];
    return refusal('wrong_category', `The category ${category} takes ${wanted}, but this is ${kindNames[facts.kind]}.`);
  }
  if (facts.media_type === 'image/webp' && facts.frames !== undefined) {
    return refusal('unsupported', 'The WebP is animated; an animation is taken as a GIF or a video.');
  }
  return refuseForLimits(facts, mediaLimits[category]);
}

function refuseForLimits(facts: MediaFacts, limits: MediaLimits): CategoryRefusal | undefined {
  const { width, height, frames = 1, duration_ms = 0, frame_rate = 0 } = facts;
  const longer = Math.max(width, height);
  const shorter = Math.min(width, height);
  const size = `${width}×${height}`;
  if (facts.size_bytes > limits.bytes) {
    return refusal('too_large', `The file has ${facts.size_bytes} bytes; at most ${limits.bytes} are taken.`);
  }
  if (limits.sides && (longer > limits.sides.longer || shorter > limits.sides.shorter)) {
    return refusal('too_large', `It is ${size}; at most ${limits.sides.longer}×${limits.sides.shorter} is taken.`);
  }
  if (limits.least_side !== undefined && shorter < limits.least_side) {
    return refusal('too_small', `It is ${size}; at least ${limits.least_side}×${limits.least_side} is taken.`);
  }
  if (limits.ratio !== undefined && longer > shorter * limits.ratio) {
    return refusal('unsupported', `It is ${size}; sides from 1:${limits.ratio} to ${limits.ratio}:1 are taken.`);
  }
  if (limits.frames !== undefined && frames > limits.frames) {
    return refusal('too_long', `It has ${frames} frames; at most ${limits.frames} are taken.`);
  }
  if (limits.pixels !== undefined && width * height * frames > limits.pixels) {
    return refusal('too_large', `Its ${frames} frames of ${size} are over ${limits.pixels} pixels in all.`);
  }
  if (limits.least_duration_ms !== undefined && duration_ms < limits.least_duration_ms) {
    return refusal('too_short', `It takes ${duration_ms} ms; at least ${limits.least_duration_ms} are taken.`);
  }
  if (limits.duration_ms !== undefined && duration_ms > limits.duration_ms) {
    return refusal('too_long', `It takes ${duration_ms} ms; at most ${limits.duration_ms} are taken.`);
  }
  if (limits.frame_rate !== undefined && frame_rate > limits.frame_rate) {
    return refusal('unsupported', `It has ${frame_rate} frames a second; at most ${limits.frame_rate} are taken.`);
  }
  return undefined;
}

function refusal(reason: CategoryRefusal['reason'], message: string): CategoryRefusal {
  return { reason, message };
}
