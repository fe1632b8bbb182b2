/** Rules on the use of uploaded media as creatives. */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import type { MediaKind } from '../media/categories.ts';
import type { LibraryMediaCategory } from '../media-library/entity.ts';
import type { CreativeType } from './entity.ts';

/** Facts about uploaded media, determined from their bytes. */
export interface UploadedFacts {
  readonly kind: MediaKind;
  readonly width: number;
  readonly height: number;
}

/** The sizes of display images, in pixels (reference, creatives section 2). */
const imageSizes = [
  ['BANNER', 320, 50],
  ['BANNER_TABLET', 728, 90],
  ['MEDIUM_RECTANGLE', 300, 250],
  ['INTERSTITIAL', 320, 480],
  ['INTERSTITIAL_LANDSCAPE', 480, 320],
  ['INTERSTITIAL_TABLET', 768, 1024],
  ['INTERSTITIAL_LANDSCAPE_TABLET', 1024, 768],
] as const satisfies readonly (readonly [CreativeType, number, number])[];

/** Returns the creative type of media: PREROLL for any video, the type of its size for an image; `undefined` if there is none. */
export function creativeTypeOf({ kind, width, height }: UploadedFacts): CreativeType | undefined {
  if (kind === 'video') return 'PREROLL';
  if (kind === 'animated_gif') return undefined;
  return imageSizes.find(([, w, h]) => w === width && h === height)?.[0];
}

/**
 * Returns the creative type that media have once they are in a media library: videos that were uploaded as pre-roll, and
 * images of the sizes of display creatives (reference, creatives section 2); `undefined` for all others.
 */
export function creativeTypeInLibrary(
  media: UploadedFacts & { readonly media_category: LibraryMediaCategory },
): CreativeType | undefined {
  return media.kind === 'video' && media.media_category !== 'AMPLIFY_VIDEO' ? undefined : creativeTypeOf(media);
}

/** Returns the issue for media that no creative can show. */
export function unusableMedia(media_key: string, { kind, width, height }: UploadedFacts): Issue<'INVALID_PARAMETER'> {
  const sizes = imageSizes.map(([type, w, h]) => `${w} x ${h} (${type})`).join(', ');
  const got = `${kind === 'photo' ? 'an image' : 'an animated GIF'} of ${width} x ${height}`;
  return invalidParameter('media_key', media_key, `Expected a video, or an image of ${sizes}; got ${got}`);
}
