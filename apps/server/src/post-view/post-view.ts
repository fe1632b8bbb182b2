/**
 * A post as people see it: plain data, complete, and safe to render as it is. Addresses of media are paths of this server, and
 * links lead to `http` or `https` addresses only.
 */
import type { CardView } from './card-view.ts';
import type { MediaView } from './media-view.ts';

/** A person as a post shows them. */
export interface AuthorView {
  readonly id: string;
  readonly screen_name: string;
  readonly name: string;
  readonly verified: boolean;
  readonly protected: boolean;
  /** Path of their picture on this server; null when they have none here. */
  readonly avatar: string | null;
}

/** A part of a text, in its order. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  /** A link, in the short form that a reader sees. */
  | { readonly kind: 'link'; readonly text: string; readonly url: string }
  /** A mention of a person of the platform, with `@`. */
  | { readonly kind: 'mention'; readonly text: string; readonly screen_name: string }
  /** A hashtag or a cashtag, with its sign. */
  | { readonly kind: 'tag'; readonly text: string };

/** The call to action of a post with a video. */
export interface VideoCallToAction {
  readonly title: string | null;
  readonly description: string | null;
  readonly action: { readonly label: string; readonly url: string } | null;
}

/** Public counts of a post. */
interface CountsView {
  readonly replies: number;
  readonly reposts: number;
  readonly quotes: number;
  readonly likes: number;
}

/** When a post was published, or what it is before that. */
export type PostTime =
  | { readonly kind: 'published'; readonly at_ms: number }
  | { readonly kind: 'draft' }
  | { readonly kind: 'scheduled'; readonly at_ms: number };

/** A post without the post that it quotes. */
export interface PostCore {
  /** Decimal. */
  readonly id: string;
  readonly time: PostTime;
  readonly author: AuthorView;
  readonly text: readonly Segment[];
  /** BCP 47; null when it is not known. */
  readonly lang: string | null;
  readonly media: readonly MediaView[];
  readonly card: CardView | null;
  readonly call_to_action: VideoCallToAction | null;
  /** Promoted only: labelled, and in no timeline. */
  readonly promoted: boolean;
  /** The post that it answers; its author is null when they cannot be named. */
  readonly reply_to: { readonly id: string; readonly screen_name: string | null } | null;
  /** Null before publication. */
  readonly counts: CountsView | null;
}

/** A post. */
export interface PostView extends PostCore {
  /** The quoted post; `unavailable` when it is gone or not to be seen by this viewer. */
  readonly quoted: PostCore | 'unavailable' | null;
  /** The person who passed the post on, where a repost is shown. The post is the original then. */
  readonly reposted_by: AuthorView | null;
  /** Why the operator has taken it down; null unless they have. Only its author sees such a post. */
  readonly taken_down: string | null;
}
