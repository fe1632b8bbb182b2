/** Writing a new post, with all that was decided about it. */
import type { Writer } from '../db/database.ts';
import { foldName } from '../db/fold-name.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import type { NewPost } from './new-post.ts';
import { posts } from './platform-table.ts';
import { advertiserColumns, newColumns } from './post-columns.ts';
import { cardAccount } from './posted-card.ts';
import type { PostRow } from './store.ts';

const insert = statement(
  { ...newColumns, ...advertiserColumns, name_folded: posts.name_folded },
  (post) => query.insert(posts).values(post),
  ({ id }) => `${id}`,
);

/** A new post, and the posts that it refers to. */
export interface InsertedPost extends Omit<NewPost, 'author_id' | 'quoted_id' | 'replied_to_id'> {
  readonly id: bigint;
  readonly author_id: bigint;
  readonly created_ms: number;
  readonly parent: PostRow | undefined;
  readonly quoted_id: bigint | null;
  readonly reposted_id: bigint | null;
  readonly entities: string | null;
}

/** Writes a post. Counters and the change log are the business of the caller. */
export async function insertPost(writer: Writer, post: InsertedPost): Promise<void> {
  const { id, parent, media_keys = [], name, card, poll, contributor_id } = post;
  await insert.run(writer, {
    id,
    author_id: post.author_id,
    created_ms: post.created_ms,
    text: post.text,
    lang: post.lang,
    source: post.source,
    conversation_id: parent?.conversation_id ?? id,
    in_reply_to_user_id: parent?.author_id ?? null,
    replied_to_id: parent?.id ?? null,
    quoted_id: post.quoted_id,
    reposted_id: post.reposted_id,
    possibly_sensitive: post.possibly_sensitive ?? false,
    reply_settings: post.reply_settings ?? 'everyone',
    nullcast: post.nullcast ?? false,
    entities: post.entities,
    media_keys: media_keys.length === 0 ? null : JSON.stringify(media_keys),
    name: name ?? null,
    name_folded: name === undefined ? null : foldName(name),
    card_uri: card?.card_uri ?? (poll ? `card://${poll.id}` : null),
    card_type: card?.card_type ?? (poll ? 'TEXT_POLLS' : null),
    card_account: card ? cardAccount(card) : null,
    contributor_id: contributor_id === undefined ? null : BigInt(contributor_id),
    video_title: post.video_title ?? null,
    video_description: post.video_description ?? null,
    video_cta: post.video_cta ?? null,
    video_cta_value: post.video_cta_value ?? null,
  });
}
