/** The composer of a post that is not published yet, and its content. Drafts and scheduled posts share it. */
import type { Reject } from '@broadside/core';
import type { Content, ContentChanges, ContentOfNew } from '@broadside/core/resources/draft-posts';
import type { MediaKind } from '@broadside/core/resources/media';
import { checkPosting } from '@broadside/core/resources/posts';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { AccountContext } from '../../pipeline/context.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { requireCard } from '../all-cards/find.ts';
import { findLibraryMedia } from '../media-library/find.ts';
import { fullPromotableUser, promotableAmong } from '../promotable-users/find.ts';

/** Checks that the caller may compose a post in the name of a user. */
export async function checkComposer(
  reject: Reject<'ACTION_NOT_ALLOWED' | 'INVALID_USER_ID'>,
  { user_id, permissions }: Pick<AccountContext, 'user_id' | 'permissions'>,
  account: AccountReader,
  { user_id: as_user_id, nullcast }: Pick<Content, 'nullcast'> & { readonly user_id: string },
): Promise<void> {
  const [promotable] = await promotableAmong(account, [as_user_id]);
  const caller = user_id === null ? null : { user_id, permissions };
  const { promotable_user_type } = promotable ?? {};
  reject.check(checkPosting({ caller, as_user_id, promotable_user_type, nullcast }));
}

/**
 * Checks that the account has the media and the card that a post is to show.
 * @returns the kinds of the media, one for each
 */
export async function findShown(
  reject: Reject<'CARD_NOT_FOUND' | 'MEDIA_NOT_FOUND'>,
  { account, world }: Pick<AccountContext, 'account' | 'world'>,
  { card_uri, media_keys }: Pick<ContentOfNew | ContentChanges, 'card_uri' | 'media_keys'>,
): Promise<MediaKind[]> {
  const keys = media_keys ?? [];
  const found = await findLibraryMedia(account, world, keys);
  const missing = keys.filter((key) => !found.has(key));
  reject.check(
    missing.map((value) => ({
      error: 'MEDIA_NOT_FOUND',
      parameter: 'media_keys',
      value,
      message: `The media library of the account has no media ${value}; add them first`,
    })),
  );
  if (card_uri !== undefined && card_uri !== null) await requireCard(reject, account, card_uri);
  return keys.flatMap((key) => found.get(key)?.kind ?? []);
}

/**
 * Returns the user whose posts a list shows: the one asked for, who must be promotable, or the account's FULL promotable user;
 * null when it has none.
 */
export function authorOfList(
  reject: Reject<'INVALID_USER_ID'>,
  account: AccountReader,
  user_id: string | undefined,
): Awaitable<string | null> {
  if (user_id === undefined) return fullPromotableUser(account);
  return chain(promotableAmong(account, [user_id]), ([promotable]) => {
    if (promotable) return user_id;
    const message = `User ${user_id} is not promotable in this account; leave user_id out for its FULL promotable user`;
    throw reject.error({ error: 'INVALID_USER_ID', parameter: 'user_id', value: user_id, message });
  });
}
