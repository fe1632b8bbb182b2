/** Rules on media in a library. */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { type MediaCategory, type MediaKind, mediaCategories } from '../media/categories.ts';
import type { LibraryMediaCategory, LibraryMediaType } from './entity.ts';

/** The texts of an advertiser about media; `null` removes it. */
export interface LibraryTexts {
  readonly name?: string | null | undefined;
  readonly file_name?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly poster_media_key?: string | null | undefined;
}

/** The facts of an uploaded category in a library. */
export interface LibraryCategory {
  readonly media_category: LibraryMediaCategory;
  readonly media_type: LibraryMediaType;
}

/** Returns what media of an uploaded category are in a library; `undefined` where a library cannot hold them. */
export function libraryCategoryOf(category: MediaCategory): LibraryCategory | undefined {
  const facts: { readonly kind: MediaKind | 'subtitles'; readonly library?: LibraryCategory } =
    mediaCategories[category];
  return facts.library;
}

/** The key of the still of a video or an animated GIF: the prefix of images, and its digits (reference, creatives section 11). */
export function stillKeyOf(media_key: string): string {
  const digits = media_key.slice(media_key.indexOf('_') + 1);
  return `${mediaCategories.post_image.media_key_prefix}_${digits}`;
}

/** Returns the ratio of two sizes with the smallest whole numbers, as in `16:9`. */
export function aspectRatio(width: number, height: number): string {
  let [divisor, rest] = [width, height];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return `${width / divisor}:${height / divisor}`;
}

/**
 * Checks what is said about media of a type: an image has no title, description or poster, and only a video takes a poster
 * (specification B, Media library). A title and a description of an animated GIF are accepted (reference, creatives section
 * 11). The key of their own still is what reading shows as poster, so it is accepted of a GIF too: clients send it back.
 */
export function checkLibraryTexts(
  { media_key, media_type }: { readonly media_key: string; readonly media_type: LibraryMediaType },
  texts: LibraryTexts,
): Issue<'INVALID_PARAMETER'>[] {
  const issues: Issue<'INVALID_PARAMETER'>[] = [];
  for (const name of ['title', 'description'] as const) {
    const value = texts[name];
    if (media_type !== 'IMAGE' || value === undefined || value === null) continue;
    issues.push(invalidParameter(name, value, `Expected no ${name} for an image; a video or an animated GIF has one`));
  }
  const poster = texts.poster_media_key;
  const isStill = media_type !== 'IMAGE' && poster === stillKeyOf(media_key);
  if (media_type !== 'VIDEO' && poster !== undefined && poster !== null && !isStill) {
    const got = media_type === 'IMAGE' ? 'an image' : 'an animated GIF';
    const message = `Expected no poster_media_key for ${got}; only a video has a poster of its own`;
    issues.push(invalidParameter('poster_media_key', poster, message));
  }
  return issues;
}
