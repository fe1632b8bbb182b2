/** What media of the platform can be used as. */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import type { MediaKind } from '../media/categories.ts';
import type { CreativeType } from './entity.ts';

/** What is known of uploaded media, from their bytes. */
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

/** What media can be used as: any video as PREROLL, an image as what has its size; `undefined` when nothing. */
export function creativeTypeOf({ kind, width, height }: UploadedFacts): CreativeType | undefined {
  if (kind === 'video') return 'PREROLL';
  if (kind === 'animated_gif') return undefined;
  return imageSizes.find(([, w, h]) => w === width && h === height)?.[0];
}

/** Rejects media that no creative can show. */
export function unusableMedia(media_key: string, { kind, width, height }: UploadedFacts): Issue<'INVALID_PARAMETER'> {
  const sizes = imageSizes.map(([type, w, h]) => `${w} x ${h} (${type})`).join(', ');
  const got = `${kind === 'photo' ? 'an image' : 'an animated GIF'} of ${width} x ${height}`;
  return invalidParameter('media_key', media_key, `Expected a video, or an image of ${sizes}; got ${got}`);
}
