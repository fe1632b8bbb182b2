/** Columns that the tables of conversation cards share. */
import { text } from 'drizzle-orm/sqlite-core';
import { nameCollated, systemColumns } from '../../db/columns.ts';

/** Columns of every card that has a number of its own beside its id. */
export function numberedCardColumns() {
  return {
    ...systemColumns(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    name_collated: nameCollated(),
    /** `card://` and a number of its own, by which posts name the card. */
    card_uri: text('card_uri').notNull(),
  };
}

/** Columns of what a conversation card says, and of the image that it unlocks. */
export function conversationColumns() {
  return {
    ...numberedCardColumns(),
    media_key: text('media_key').notNull(),
    title: text('title'),
    first_cta: text('first_cta').notNull(),
    first_cta_post: text('first_cta_post').notNull(),
    second_cta: text('second_cta'),
    second_cta_post: text('second_cta_post'),
    third_cta: text('third_cta'),
    third_cta_post: text('third_cta_post'),
    fourth_cta: text('fourth_cta'),
    fourth_cta_post: text('fourth_cta_post'),
    thank_you_text: text('thank_you_text').notNull(),
    thank_you_url: text('thank_you_url'),
    unlocked_image_media_key: text('unlocked_image_media_key'),
  };
}
