/**
 * Entities found in a text: links, mentions, hashtags (specification A, Entity item shapes; reference, data retrieval section
 * 10). Offsets count code points of the text; `end` is exclusive, except for annotations.
 */

import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { decimal, int, text } from '../../wire/types.ts';

const offsets = object(() => ({
  start: int({ min: 0 }).describe('Where it begins, in code points.'),
  end: int({ min: 0 }).describe('Where it ends, in code points; exclusive.'),
}));

const Image = object(() => ({
  url: text().describe('Address of the image.'),
  width: int().describe('Pixels.'),
  height: int().describe('Pixels.'),
}));

/** A link in a text. */
export const UrlEntity = object(() => ({
  ...offsets.shape,
  url: text().describe('The link as it stands in the text.'),
  expanded_url: text().describe('The whole address.'),
  display_url: text().describe('What a reader sees.'),
  media_key: text().optional().describe('The media that the link stands for.'),
  images: z.array(Image).optional().describe('Pictures of the page.'),
  status: int().optional().describe('HTTP status of the page.'),
  title: text().optional().describe('Title of the page.'),
  description: text().optional().describe('Description of the page.'),
  unwound_url: text().optional().describe('Where the address leads after redirects.'),
}));
export type UrlEntity = z.output<typeof UrlEntity>;

/** A mention of a user in a text. */
export const MentionEntity = object(() => ({
  ...offsets.shape,
  username: text().describe('The name, without @.'),
  id: text().optional().describe('The user, if there is one of this name.'),
}));
export type MentionEntity = z.output<typeof MentionEntity>;

/** A hashtag or a cashtag. */
export const TagEntity = object(() => ({ ...offsets.shape, tag: text().describe('The tag, without its sign.') }));
export type TagEntity = z.output<typeof TagEntity>;

/** An annotation: a subject that a text is about. */
export const AnnotationEntity = object(() => ({
  start: int({ min: 0 }).describe('Where it begins, in code points.'),
  end: int({ min: 0 }).describe('Where it ends, in code points; inclusive.'),
  probability: decimal({ min: 0, max: 1 }).describe('How sure this is.'),
  type: text().describe('Person, Place, Product, Organization or Other.'),
  normalized_text: text().describe('What it is.'),
}));
