/** Writes of a library, with its index and the account media that follow from it. */
import type { AccountWriter } from '../../world/account-store.ts';
import { addAccountMedia } from '../account-media/find.ts';
import { type LibraryMediaRow, libraryMedia } from './entity.ts';
import type { LibraryFacts } from './facts.ts';
import { indexTerms } from './library-terms.ts';

/** The texts of an advertiser about media, as they are stored. */
export type StoredTexts = Pick<LibraryMediaRow, 'name' | 'file_name' | 'title' | 'description' | 'poster_media_key'>;

const NONE: StoredTexts = { name: null, file_name: null, title: null, description: null, poster_media_key: null };

/**
 * Adds media to the library: a new record; one that was deleted, as if it were new; or one that is there, which changes in
 * what is given (our choice: adding twice is no error, because posting media adds them too).
 */
export async function putInLibrary(
  writer: AccountWriter,
  media: LibraryFacts,
  texts: Partial<StoredTexts> = {},
): Promise<LibraryMediaRow> {
  const entity = writer.of(libraryMedia);
  const before = await entity.get(media.media_key);
  await addAccountMedia(writer, media);
  if (before && !before.deleted) return changeInLibrary(writer, before, texts);
  const fields = { ...NONE, ...texts };
  const row = before
    ? await entity.restore(before, fields)
    : await entity.insert({ media_type: media.media_type, ...fields }, media.media_key);
  await indexTerms(writer, before, row);
  return row;
}

/** Changes what is given. */
export async function changeInLibrary(
  writer: AccountWriter,
  before: LibraryMediaRow,
  texts: Partial<StoredTexts>,
): Promise<LibraryMediaRow> {
  if (Object.keys(texts).length === 0) return before;
  const row = await writer.of(libraryMedia).update(before, texts);
  await indexTerms(writer, before, row);
  return row;
}

/** Removes a record from the library. */
export async function deleteFromLibrary(writer: AccountWriter, before: LibraryMediaRow): Promise<LibraryMediaRow> {
  const row = await writer.of(libraryMedia).delete(before);
  await indexTerms(writer, before, row);
  return row;
}
