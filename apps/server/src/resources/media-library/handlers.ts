import type { Contract, Reject } from '@broadside/core';
import {
  checkLibraryTexts,
  type LibraryMedia,
  type LibraryTexts,
  stillKeyOf,
} from '@broadside/core/resources/media-library';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { Context, HandlersOf, Rejecting } from '../../pipeline/context.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type LibraryMediaRow, libraryMedia } from './entity.ts';
import { findAddable, libraryFacts } from './facts.ts';
import { listLibrary } from './list.ts';
import { showLibrary } from './view.ts';
import { changeInLibrary, deleteFromLibrary, putInLibrary, type StoredTexts } from './writes.ts';

type Rejection = Reject<'INVALID_PARAMETER' | 'MEDIA_NOT_FOUND'>;

export const handlers: HandlersOf<Contract['media_library']> = {
  list: (context, params) =>
    chain(listLibrary(context.account, params), (page) =>
      chain(showLibrary(context, page.data), (data) => ({ ...page, data })),
    ),

  get: (context, { media_key }) =>
    chain(context.account.of(libraryMedia).find(context.reject, media_key), (row) => show(context, row)),

  async create(context, { media_key, ...texts }) {
    const { account, actor, reject, user_id, world } = context;
    const known = await account.of(libraryMedia).get(media_key);
    const isHeld = known !== undefined && !known.deleted;
    const found = isHeld
      ? { media: await libraryFacts(world, [media_key]), issues: [] }
      : await findAddable(account, world, user_id, [media_key]);
    reject.check(found.issues);
    const media = found.media.get(media_key);
    if (!media) throw reject.error({ error: 'MEDIA_NOT_FOUND', parameter: 'media_key', value: media_key });
    reject.check(checkLibraryTexts(media, texts));
    // Before they are in the library: if the upload expired in between, the record would refer to nothing.
    if (!(await world.media.keep(media_key))) {
      throw reject.error({ error: 'MEDIA_NOT_FOUND', parameter: 'media_key', value: media_key });
    }
    const row = await account.write(actor, async (writer) =>
      putInLibrary(writer, media, await storedTexts(reject, writer, media_key, texts)),
    );
    return show(context, row);
  },

  async update(context, { media_key, ...texts }) {
    const { account, actor, reject } = context;
    const row = await account.write(actor, async (writer) => {
      const before = await writer.of(libraryMedia).find(reject, media_key);
      reject.check(checkLibraryTexts({ media_key, media_type: before.media_type }, texts));
      return changeInLibrary(writer, before, await storedTexts(reject, writer, media_key, texts));
    });
    return show(context, row);
  },

  async delete(context, { media_key }) {
    const { account, actor, reject } = context;
    const row = await account.write(actor, async (writer) =>
      deleteFromLibrary(writer, await writer.of(libraryMedia).find(reject, media_key)),
    );
    return show(context, row);
  },
};

function show(context: Context & Rejecting<'MEDIA_NOT_FOUND'>, row: LibraryMediaRow): Awaitable<LibraryMedia> {
  return chain(showLibrary(context, [row]), ([shown]) => {
    if (shown) return shown;
    // They were deleted with the person who uploaded them.
    throw context.reject.error({ error: 'MEDIA_NOT_FOUND', parameter: 'media_key', value: row.id });
  });
}

/** Returns what is given in the form in which it is stored; what is left out is not there. */
async function storedTexts(
  reject: Rejection,
  account: AccountReader,
  media_key: string,
  { poster_media_key, ...texts }: LibraryTexts,
): Promise<Partial<StoredTexts>> {
  const given: Partial<StoredTexts> = Object.fromEntries(
    Object.entries(texts).filter(([, value]) => value !== undefined),
  );
  if (poster_media_key === undefined) return given;
  if (poster_media_key === null || poster_media_key === stillKeyOf(media_key)) {
    return { ...given, poster_media_key: null };
  }
  const poster = await account.of(libraryMedia).get(poster_media_key);
  if (!poster || poster.deleted) {
    const message = `The media library of the account has no image ${poster_media_key}; add it first`;
    throw reject.error({ error: 'MEDIA_NOT_FOUND', parameter: 'poster_media_key', value: poster_media_key, message });
  }
  if (poster.media_type !== 'IMAGE') {
    const message = `Expected an image of the library for poster_media_key, got media of type ${poster.media_type}`;
    throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'poster_media_key', value: poster_media_key, message });
  }
  return { ...given, poster_media_key };
}
