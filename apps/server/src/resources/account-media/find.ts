import { creativeTypeInLibrary } from '@broadside/core/resources/account-media';
import type { AccountWriter } from '../../world/account-store.ts';
import { accountMedia } from './entity.ts';

export { accountMedia } from './entity.ts';
export { listAccountMedia } from './held.ts';
export { showAllAccountMedia } from './view.ts';

/** Adds media to the account media when they come into the media library, if they can be a creative. Once. */
export async function addAccountMedia(
  writer: AccountWriter,
  media: Parameters<typeof creativeTypeInLibrary>[0] & { readonly media_key: string },
): Promise<void> {
  const creative_type = creativeTypeInLibrary(media);
  const { media_key } = media;
  if (creative_type === undefined || (await writer.of(accountMedia).existing({ media_key }))) return;
  await writer.of(accountMedia).insert({ media_key, creative_type });
}
