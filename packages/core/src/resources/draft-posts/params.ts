/** Parameters of posts that are not published yet: drafts and scheduled posts take the same content. */

import { account_id, cursor } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { boolean, id, int, list, numericId, removable, text } from '../../wire/types.ts';
import { MAX_POST_IMAGES, MAX_POST_NAME } from '../posts/rules.ts';

export const draft_post_id = id().describe('The draft post.');

const post_text = () => text({ max: 25_000 });
const card_uri = () => text({ max: 64 });
const media_keys = () => list(text({ max: 64 }), { max: MAX_POST_IMAGES });
const name = () => text({ max: MAX_POST_NAME });

/** Parameters of a list of posts that are not published yet. The newest come first, and deleted ones are gone. */
export const unpublishedListParams = object(() => ({
  account_id,
  count: int({ min: 1, max: 200 }).default(100).describe('Records on one page.'),
  cursor,
  user_id: numericId().optional().describe('A promotable user of the account; its FULL promotable user when left out.'),
}));

/** The content of a new one. */
export const contentOfNew = object(() => ({
  text: post_text()
    .optional()
    .describe('What it says: up to 280 in weighted length, where a link counts 23. Required without `media_keys`.'),
  card_uri: card_uri().optional().describe('A card of the account to show.'),
  media_keys: media_keys()
    .optional()
    .describe('Media of the library of the account: up to 4 images, or one animated GIF, or one video.'),
  nullcast: boolean()
    .default(true)
    .describe('For promotion only, and shown in no timeline. Only users themselves post in their timelines.'),
  name: name().optional().describe('A name by which to find it, up to 80 characters; people do not see it.'),
}));

/** Changes of the content. */
export const contentChanges = object(() => ({
  text: removable(post_text()).optional().describe('What it says; empty for nothing, where there are media.'),
  card_uri: removable(card_uri()).optional().describe('A card of the account to show; empty to remove it.'),
  media_keys: removable(media_keys()).optional().describe('Media of the library of the account; empty to remove them.'),
  nullcast: boolean().optional().describe('Whether it is for promotion only, and shown in no timeline.'),
  name: removable(name()).optional().describe('A name by which to find it; empty to remove it.'),
}));

/** Content as a caller gives it. */
export interface ContentOfNew {
  readonly text?: string | undefined;
  readonly card_uri?: string | undefined;
  readonly media_keys?: string[] | undefined;
  readonly nullcast: boolean;
  readonly name?: string | undefined;
}

/** Changes as a caller gives them; null removes a value. */
export interface ContentChanges {
  readonly text?: string | null | undefined;
  readonly card_uri?: string | null | undefined;
  readonly media_keys?: string[] | null | undefined;
  readonly nullcast?: boolean | undefined;
  readonly name?: string | null | undefined;
}
