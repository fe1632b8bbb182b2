/**
 * Effects of the expansions of a post (reference, data retrieval section 5): the member that is added to the post, so that
 * the included objects can be found from it, and the member of `includes` that receives them.
 */
import type { Post } from './post.ts';

/** Members of `includes`. */
export type IncludesKey = 'users' | 'posts' | 'media' | 'polls' | 'places';

/** Effect of one expansion. */
export interface Expansion {
  readonly fills: readonly IncludesKey[];
  /** The member of the post; null for one of later versions that posts here never have. */
  readonly adds: keyof Post | null;
  /** The member added to the included posts, if the expansion follows references from them. */
  readonly addsToIncluded?: keyof Post;
}

export const postExpansions = {
  author_id: { fills: ['users'], adds: 'author_id' },
  in_reply_to_user_id: { fills: ['users'], adds: 'in_reply_to_user_id' },
  'entities.mentions.username': { fills: ['users'], adds: 'entities' },
  'entities.note.mentions.username': { fills: ['users'], adds: null },
  referenced_posts: { fills: ['posts'], adds: 'referenced_posts' },
  'referenced_posts.id': { fills: ['posts'], adds: 'referenced_posts' },
  'referenced_posts.id.author_id': {
    fills: ['posts', 'users'],
    adds: 'referenced_posts',
    addsToIncluded: 'author_id',
  },
  'referenced_posts.id.attachments.media_keys': {
    fills: ['posts', 'media'],
    adds: 'referenced_posts',
    addsToIncluded: 'attachments',
  },
  'attachments.media_keys': { fills: ['media'], adds: 'attachments' },
  'attachments.media_source_post': { fills: ['posts'], adds: 'attachments' },
  'attachments.poll_ids': { fills: ['polls'], adds: 'attachments' },
  'geo.place_id': { fills: ['places'], adds: 'geo' },
  edit_history_post_ids: { fills: ['posts'], adds: 'edit_history_post_ids' },
  'article.cover_media': { fills: ['media'], adds: null },
  'article.media_entities': { fills: ['media'], adds: null },
} as const satisfies Record<string, Expansion>;

/** The name of an expansion. */
export type PostExpansion = keyof typeof postExpansions;

/** All expansions of a post. */
export const postExpansionNames = namesOf(postExpansions);

function namesOf<Name extends string>(table: Readonly<Record<Name, Expansion>>): readonly [Name, ...Name[]] {
  const isName = (name: string): name is Name => name in table;
  const [first, ...others] = Object.keys(table).filter(isName);
  if (first === undefined) throw new TypeError('there are expansions');
  return [first, ...others];
}
