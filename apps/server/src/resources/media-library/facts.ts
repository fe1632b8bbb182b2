/** Facts of media that a library can hold: of the platform's media, by key. */
import type { Issue } from '@broadside/core';
import type { MediaKind } from '@broadside/core/resources/media';
import { type LibraryCategory, libraryCategoryOf } from '@broadside/core/resources/media-library';
import { type Awaitable, chain } from '../../awaitable.ts';
import { erasedPath, type MediaFactsRow, mediaPath } from '../../media/media-facts.ts';
import type { AccountReader } from '../../world/account-store.ts';
import type { World } from '../../world/world.ts';
import { promotableAmong } from '../promotable-users/find.ts';

/** Facts of processed media. Paths are on the first port: put the context's `baseUrl` before them. */
export interface LibraryFacts extends LibraryCategory {
  readonly media_key: string;
  /** The user who uploaded them. */
  readonly owner_user_id: string;
  readonly kind: MediaKind;
  /** The type of the file, as in `image/png`. */
  readonly content_type: string;
  /** The size of the file. */
  readonly bytes: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Of a video. */
  readonly duration_ms: number | null;
  readonly path: string;
  /** The still of a video or an animated GIF. */
  readonly still_path: string | null;
  /** True where a post shows them. */
  readonly posted: boolean;
  /** True where the bytes were deleted with the person who owned them: the path leads nowhere. */
  readonly erased: boolean;
}

type Media = Pick<World, 'media'>;

/** Returns the facts of those media that are processed and that libraries can hold, by key. */
export function libraryFacts(world: Media, keys: readonly string[]): Awaitable<Map<string, LibraryFacts>> {
  return chain(shownFacts(world, keys), (facts) => {
    for (const [key, { erased }] of facts) if (erased) facts.delete(key);
    return facts;
  });
}

/** Returns the same for what shows media already: erased ones too. */
export function shownFacts({ media }: Media, keys: readonly string[]): Awaitable<Map<string, LibraryFacts>> {
  return chain(media.facts(keys), (known) => {
    const facts = new Map<string, LibraryFacts>();
    for (const row of known.values()) {
      const found = rememberedFacts(row);
      if (found) facts.set(row.media_key, found);
    }
    return facts;
  });
}

/** Facts of rows, so that what is shown of them can be remembered by their identity. */
const remembered = new WeakMap<MediaFactsRow, LibraryFacts>();

function rememberedFacts(row: MediaFactsRow): LibraryFacts | undefined {
  const known = remembered.get(row);
  if (known) return known;
  const facts = factsOf(row);
  if (facts) remembered.set(row, facts);
  return facts;
}

/** The path of media whose processing has ended well. */
function pathOf({ state, media_key, blob_key }: MediaFactsRow): string | undefined {
  if (state === 'erased') return erasedPath(media_key);
  return state === 'succeeded' && blob_key !== null ? mediaPath(blob_key) : undefined;
}

function factsOf(row: MediaFactsRow): LibraryFacts | undefined {
  const category = libraryCategoryOf(row.category);
  const path = pathOf(row);
  const { state, kind, width, height, preview_blob_key } = row;
  if (!category || kind === null || path === undefined) return undefined;
  return {
    ...category,
    media_key: row.media_key,
    owner_user_id: row.owner_user_id,
    kind,
    content_type: row.content_type,
    bytes: row.bytes,
    width: width ?? 0,
    height: height ?? 0,
    duration_ms: row.duration_ms,
    path,
    still_path: preview_blob_key === null ? null : mediaPath(preview_blob_key),
    posted: row.posted,
    erased: state === 'erased',
  };
}

/** Media as somebody may add them to a library, and why others cannot be added. */
export interface Addable {
  readonly media: ReadonlyMap<string, LibraryFacts>;
  readonly issues: readonly Issue<'MEDIA_NOT_FOUND'>[];
}

/**
 * Finds media that may be added to the library of an account: finished uploads of the caller or of a promotable user of the
 * account, or with one of them among the additional owners (specification B, Posts; reference, creatives section 13). Media of
 * others and missing ones get the same response.
 * @param user_id the caller; null for the operator
 * @param parameter the parameter that names them
 */
export async function findAddable(
  account: AccountReader,
  { media }: Media,
  user_id: string | null,
  keys: readonly string[],
  parameter = 'media_key',
): Promise<Addable> {
  const known = await media.facts(keys);
  const owners = (row: MediaFactsRow) => [row.owner_user_id, ...row.additional_owners];
  const promotable = await promotableAmong(account, [...new Set([...known.values()].flatMap(owners))]);
  const allowed = new Set([user_id, ...promotable.map((user) => user.user_id)]);
  const addable = new Map<string, LibraryFacts>();
  const issues: Issue<'MEDIA_NOT_FOUND'>[] = [];
  for (const key of keys) {
    const row = known.get(key);
    const facts = row && owners(row).some((id) => allowed.has(id)) ? factsOf(row) : undefined;
    if (facts && !facts.erased) addable.set(key, facts);
    else issues.push({ error: 'MEDIA_NOT_FOUND', parameter, value: key, message: problemOf(key, row, allowed) });
  }
  return { media: addable, issues };
}

function problemOf(key: string, row: MediaFactsRow | undefined, allowed: ReadonlySet<string | null>): string {
  const isOwn = row && [row.owner_user_id, ...row.additional_owners].some((id) => allowed.has(id));
  if (!isOwn) return `Neither you nor a promotable user of the account has media ${key}`;
  if (row.state === 'erased') return `The media ${key} were deleted with the person who uploaded them`;
  if (row.state === 'failed') return `The upload of ${key} failed; upload the media again`;
  if (row.state !== 'succeeded') return `The media ${key} are not processed yet; their upload is ${row.state}`;
  return `The media ${key} were uploaded as ${row.category}; upload them as post_image, post_gif, post_video or amplify_video`;
}
