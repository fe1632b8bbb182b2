/** Media that a caller gives to a card. */
import type { Issue } from '@broadside/core';
import { type CardMediaError, type CardMediaSpec, checkCardMedia } from '@broadside/core/resources/cards';
import type { AccountReader } from '../../world/account-store.ts';
import type { World } from '../../world/world.ts';
import { findLibraryMedia } from '../media-library/find.ts';

/** Media for one place of a card. */
interface GivenMedia {
  /** The parameter that names them. */
  readonly parameter: string;
  /** Null or absent where nothing is given, or what is there is removed. */
  readonly media_key: string | null | undefined;
  /** The media that the place accepts. */
  readonly spec: CardMediaSpec;
}

/** Checks that media given for a card are in the account's library and fit their places. */
export async function checkGivenMedia(
  account: AccountReader,
  world: World,
  given: readonly GivenMedia[],
): Promise<Issue<CardMediaError | 'MEDIA_NOT_FOUND'>[]> {
  const keys = given.flatMap(({ media_key }) => media_key ?? []);
  if (keys.length === 0) return [];
  const found = await findLibraryMedia(account, world, keys);
  return given.flatMap(({ parameter, media_key, spec }): Issue<CardMediaError | 'MEDIA_NOT_FOUND'>[] => {
    if (media_key === null || media_key === undefined) return [];
    const facts = found.get(media_key);
    if (facts) return checkCardMedia({ parameter }, facts, spec);
    const message = `The media library of the account has no media ${media_key}; add them to it first`;
    return [{ error: 'MEDIA_NOT_FOUND', parameter, value: media_key, message }];
  });
}
