/** New posts as callers describe them, and why one is rejected. */
import type { ReplySettings } from '@broadside/core/resources/posts';

/** A post to be made. Ids are decimal. */
export interface NewPost {
  readonly author_id: string;
  readonly text: string;
  /** The name of the client. */
  readonly source: string;
  readonly lang: string;
  readonly replied_to_id?: string | undefined;
  readonly quoted_id?: string | undefined;
  readonly media_keys?: readonly string[] | undefined;
  readonly possibly_sensitive?: boolean | undefined;
  readonly reply_settings?: ReplySettings | undefined;
  /** Promoted only: not shown in timelines. */
  readonly nullcast?: boolean | undefined;
}

/** A post that passes on another. */
export interface NewRepost {
  readonly author_id: string;
  readonly post_id: string;
  readonly source: string;
  readonly nullcast?: boolean | undefined;
}

/** A post was rejected: the invalid parameter, and what would be valid. */
export class PostRejectedError extends Error {
  override readonly name = 'PostRejectedError';
  readonly parameter: keyof NewPost | 'post_id' | 'user_id' | 'followed_user_id';
  readonly reason: 'not_found' | 'invalid' | 'not_allowed' | 'already';

  constructor(parameter: PostRejectedError['parameter'], reason: PostRejectedError['reason'], message: string) {
    super(message);
    this.parameter = parameter;
    this.reason = reason;
  }
}
