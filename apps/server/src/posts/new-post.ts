/** New posts as callers describe them, and why one is rejected. */
import type { ReplySettings, VideoTexts } from '@broadside/core/resources/posts';
import type { NewPoll } from '../polls/polls.ts';
import type { Environment } from '../world/environment.ts';

/** The card that a post shows. */
export interface PostedCard {
  readonly card_uri: string;
  readonly card_type: string;
  readonly environment: Environment;
  /** The account that the card belongs to. */
  readonly account_id: string;
}

/** A post to be made. Ids are decimal. */
export interface NewPost extends VideoTexts {
  readonly author_id: string;
  readonly text: string;
  /** The name of the client. */
  readonly source: string;
  readonly lang: string;
  readonly replied_to_id?: string | undefined;
  readonly quoted_id?: string | undefined;
  readonly media_keys?: readonly string[] | undefined;
  /** Media of others that the author may use: those in the library of the advertiser. */
  readonly library_media?: ReadonlySet<string> | undefined;
  readonly possibly_sensitive?: boolean | undefined;
  readonly reply_settings?: ReplySettings | undefined;
  /** Promoted only: not shown in timelines. */
  readonly nullcast?: boolean | undefined;
  /** The advertiser's name for it, which people do not see. */
  readonly name?: string | undefined;
  readonly card?: PostedCard | undefined;
  /** The poll of that card, or one without a card of an account. */
  readonly poll?: NewPoll | undefined;
  /** The person who composed it, where that is not its author. */
  readonly contributor_id?: string | undefined;
}

/** The manner in which a post is published. */
export interface PublishOptions {
  /** Publishes once for each key: a later call with the same key gives the post of the first. */
  readonly key?: string | undefined;
  /** Rejects a post that says and shows the same as the author's last one, with the reason `duplicate`. */
  readonly rejectDuplicate?: boolean | undefined;
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
  readonly parameter: keyof NewPost | 'post_id' | 'user_id' | 'followed_user_id' | 'choice';
  readonly reason: 'not_found' | 'invalid' | 'not_allowed' | 'already' | 'duplicate';

  constructor(parameter: PostRejectedError['parameter'], reason: PostRejectedError['reason'], message: string) {
    super(message);
    this.parameter = parameter;
    this.reason = reason;
  }
}
