/** What a post says, with the link to its media and without one. */
import { JsonText } from '@broadside/core';
import { linkedText, postLink, type SaidText } from '../attached-link.ts';
import type { LookedUpPost } from './rows.ts';

/** The text of a post that has no media to be seen. */
export function unlinked({ row: { text, entities } }: LookedUpPost): SaidText {
  return { text, entities: () => (entities === null ? undefined : new JsonText(entities)) };
}

/** The text of a post, which ends with a link to its media. @param screen_name of the person on whose page it is @param baseUrl of the platform */
export function linked({ row }: LookedUpPost, media_key: string, screen_name: string, baseUrl: string): SaidText {
  const { id, reposted_id } = row;
  const link = postLink({ id, reposted_id, screen_name, original_screen_name: null }, baseUrl);
  return linkedText(row, media_key, link);
}
