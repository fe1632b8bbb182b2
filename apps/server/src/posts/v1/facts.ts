/** Facts of a post that the object of version 1.1 needs, whether it is published or not. */
import type { ReplySettings, VideoTexts } from '@broadside/core/resources/posts';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import type { Reader } from '../../db/database.ts';
import { detectLanguage } from '../detect-language.ts';
import { entitiesOf } from '../post-text.ts';
import { type PostRow, wordsOf } from '../store.ts';

/** Facts of a post. */
export interface PostFacts {
  readonly id: bigint;
  readonly author_id: bigint;
  readonly created_ms: number;
  readonly text: string;
  /** As JSON, as they are stored. */
  readonly entities: string | null;
  readonly lang: string;
  readonly source: string;
  readonly media_keys: readonly string[];
  readonly name: string | null;
  readonly card_uri: string | null;
  readonly contributor_id: bigint | null;
  readonly possibly_sensitive: boolean;
  readonly reply_settings: ReplySettings;
  readonly nullcast: boolean;
  readonly video: VideoTexts;
  /** Facts that only a published post has: its page, its counters, and what it answers. */
  readonly published: Pick<
    PostRow,
    | 'coordinates'
    | 'in_reply_to_user_id'
    | 'original_screen_name'
    | 'place'
    | 'public_metrics'
    | 'replied_to_id'
    | 'reposted_id'
    | 'screen_name'
  > | null;
}

/** Returns the facts of a published post. */
export function publishedFacts(row: PostRow): PostFacts {
  return ownFacts(row, wordsOf(row.media_keys), row);
}

/** The facts that are in the row of a post itself, in the form of its table. */
type OwnFacts = Omit<PostFacts, 'media_keys' | 'video' | 'published'> &
  Pick<PostRow, 'video_cta' | 'video_cta_value' | 'video_description' | 'video_title'>;

/** Returns the facts of a published post whose media are known. */
export function ownFacts(
  row: OwnFacts,
  media_keys: readonly string[],
  published: NonNullable<PostFacts['published']>,
): PostFacts {
  return {
    ...row,
    media_keys,
    video: {
      video_cta: row.video_cta ?? undefined,
      video_cta_value: row.video_cta_value ?? undefined,
      video_description: row.video_description ?? undefined,
      video_title: row.video_title ?? undefined,
    },
    published,
  };
}

/** A post that is not published yet. */
export interface UnpublishedPost {
  readonly id: string;
  readonly user_id: string;
  readonly name: string | null;
  readonly text: string;
  readonly media_keys: readonly string[];
  readonly card_uri: string | null;
  readonly nullcast: boolean;
  readonly created_at: string;
}

/** Returns the facts of a draft or a scheduled post, as if it were published now. @param source the client of the post */
export function unpublishedFacts(reader: Reader, post: UnpublishedPost, source: string): Awaitable<PostFacts> {
  const text = post.text.normalize('NFC');
  return chain(together([entitiesOf(reader, text), languageOf(post, text)]), ([entities, lang]) => ({
    ...post,
    id: BigInt(post.id),
    author_id: BigInt(post.user_id),
    created_ms: Date.parse(post.created_at),
    text,
    entities,
    lang,
    source,
    contributor_id: null,
    possibly_sensitive: false,
    reply_settings: 'everyone',
    video: {},
    published: null,
  }));
}

/** The languages of posts that are not published yet, by the identity of their rows. */
const languages = new WeakMap<UnpublishedPost, string>();

function languageOf(post: UnpublishedPost, text: string): Awaitable<string> {
  const known = languages.get(post);
  if (known !== undefined) return known;
  return chain(detectLanguage(text), (lang) => {
    languages.set(post, lang);
    return lang;
  });
}
