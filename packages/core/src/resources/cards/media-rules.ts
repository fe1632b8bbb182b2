/** Rules on the media of cards of all kinds (reference, creatives section 3, Card media specification). Pure. */
import type { Issue } from '../../wire/issues.ts';
import type { MediaKind } from '../media/categories.ts';

/** A megabyte of the limits; the reference does not define it (our choice: as with uploads). */
const MB = 1024 * 1024;

/** A ratio of the width to the height, such as 1.91:1. */
export interface AspectRatio {
  readonly width: number;
  readonly height: number;
}

/** Requirements on images. */
interface ImageSpec {
  /** None where any will do. */
  readonly ratios: readonly AspectRatio[];
  /** Pixels. */
  readonly min_width: number;
  readonly max_bytes: number;
  readonly content_types: readonly string[];
}

/** Requirements on videos. */
interface VideoSpec {
  /** None where any will do. */
  readonly ratios: readonly AspectRatio[];
  readonly max_bytes: number;
  readonly max_duration_ms: number;
  readonly content_types: readonly string[];
}

/** The media that a card accepts in one place. */
export interface CardMediaSpec {
  /** Absent where it takes no image. */
  readonly image?: ImageSpec;
  /** Absent where it takes no video. */
  readonly video?: VideoSpec;
}

const SQUARE: AspectRatio = { width: 1, height: 1 };
const LANDSCAPE: AspectRatio = { width: 1.91, height: 1 };
const WIDE: AspectRatio = { width: 16, height: 9 };

function image(...ratios: readonly AspectRatio[]): ImageSpec {
  return { ratios, min_width: 800, max_bytes: 3 * MB, content_types: ['image/bmp', 'image/jpeg', 'image/png'] };
}

function video(...ratios: readonly AspectRatio[]): VideoSpec {
  return {
    ratios,
    max_bytes: 500 * MB,
    max_duration_ms: 600_000,
    content_types: ['video/mp4', 'video/quicktime'],
  };
}

/** The media that each kind of card accepts in each place. */
export const cardMediaSpecs = {
  /** Generic cards, with a website or an app. */
  generic: { image: image(SQUARE, LANDSCAPE), video: video(WIDE, SQUARE) },
  imageConversation: { image: image(LANDSCAPE) },
  videoConversation: { video: video(WIDE) },
  /** Shown to people who have posted: an image of an image conversation card, and either of a video conversation card. */
  unlockedImage: { image: image({ width: 5, height: 2 }) },
  unlockedImageOfVideo: { image: image() },
  unlockedVideo: { video: video() },
  poster: { image: image() },
  poll: { image: image(LANDSCAPE), video: video(WIDE) },
} as const satisfies Readonly<Record<string, CardMediaSpec>>;

/** Facts about media of the account's library, determined from their bytes. */
export interface CardMediaFacts {
  readonly media_key: string;
  readonly kind: MediaKind;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Null for images. */
  readonly duration_ms: number | null;
  readonly bytes: number;
  readonly content_type: string;
}

/** The place of a medium in a request. */
export interface MediaPlace {
  readonly parameter: string;
  /** As messages name it, such as `components[0].media_key`; by default the parameter. */
  readonly at?: string;
}

/**
 * The distance of sides from a ratio that is accepted, because pixels are whole and encoders prefer even numbers. Our choice, the reference being
 * silent: 2 percent, which is less than half the distance between any two of its ratios.
 */
const TOLERANCE = 0.02;

/** Returns whether an image or a video has a ratio, within the tolerance. */
export function hasRatio({ width, height }: AspectRatio, ratio: AspectRatio): boolean {
  return Math.abs((width * ratio.height) / (height * ratio.width) - 1) <= TOLERANCE;
}

/** The errors for media that do not fit: of images, and of others. */
export type CardMediaError = 'INVALID_IMAGE' | 'INVALID_MEDIA';

/** Checks that a card accepts media in a place: their kind first, then everything else, so that one response has all reasons. */
export function checkCardMedia(
  { parameter, at = parameter }: MediaPlace,
  facts: CardMediaFacts,
  spec: CardMediaSpec,
): Issue<CardMediaError>[] {
  const { kind, media_key: value } = facts;
  const required = kind === 'photo' ? spec.image : kind === 'video' ? spec.video : undefined;
  if (!required) {
    const kinds = [...(spec.image ? ['an image'] : []), ...(spec.video ? ['a video'] : [])].join(' or ');
    return [{ error: 'INVALID_MEDIA', parameter, value, message: `Expected ${kinds}, got ${nameOf[kind]} for ${at}` }];
  }
  const error = kind === 'photo' ? 'INVALID_IMAGE' : 'INVALID_MEDIA';
  return reasons(facts, required).map(([expected, got]) => ({
    error,
    parameter,
    value,
    message: `Expected ${nameOf[kind]} ${expected}, got ${got} for ${at}`,
  }));
}

const nameOf = { photo: 'an image', video: 'a video', animated_gif: 'an animated GIF' } as const satisfies Record<
  MediaKind,
  string
>;

function reasons(facts: CardMediaFacts, spec: ImageSpec | VideoSpec): (readonly [expected: string, got: string])[] {
  const { width, height, bytes, content_type, duration_ms } = facts;
  const found: (readonly [string, string])[] = [];
  if (!spec.content_types.includes(content_type)) {
    found.push([`of the type ${spec.content_types.join(', ')}`, content_type]);
  }
  if (bytes > spec.max_bytes) found.push([`of up to ${spec.max_bytes} bytes`, `${bytes}`]);
  if ('min_width' in spec && width < spec.min_width) {
    found.push([`at least ${spec.min_width} pixels wide`, `${width}`]);
  }
  if ('max_duration_ms' in spec && duration_ms !== null && duration_ms > spec.max_duration_ms) {
    found.push([`of up to ${spec.max_duration_ms / 60_000} minutes`, `${duration_ms} ms`]);
  }
  if (spec.ratios.length > 0 && !spec.ratios.some((ratio) => hasRatio(facts, ratio))) {
    found.push([`with the aspect ratio ${spec.ratios.map(nameOfRatio).join(' or ')}`, `${width} x ${height}`]);
  }
  return found;
}

/** Returns a ratio as people write it: `1.91:1`. */
function nameOfRatio({ width, height }: AspectRatio): string {
  return `${width}:${height}`;
}
