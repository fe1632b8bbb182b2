/** Cards as a post shows them. */
import type { MediaView } from './media-view.ts';

/** The destination of a slide. */
export type DestinationView = WebsiteView | AppView;

/** A page of a site. */
export interface WebsiteView {
  readonly kind: 'website';
  readonly title: string;
  /** The host, as a reader sees it. */
  readonly host: string;
  /** Null when it cannot be followed. */
  readonly url: string | null;
}

/** A place to get an app, by its store. */
export interface StoreView {
  readonly store: string;
  readonly url: string;
}

/** An app in one or two stores. */
export interface AppView {
  readonly kind: 'app';
  /** The words of the button. */
  readonly label: string;
  readonly stores: readonly StoreView[];
  /** Addresses inside of the app. They are shown and never linked: any program could be behind them. */
  readonly deep_links: readonly string[];
}

/** One of the media of a card, with its own destination in a carousel of several. */
export interface SlideView {
  /** Null when the media are gone. */
  readonly media: MediaView | null;
  readonly destination: DestinationView | null;
}

/** A card with one of the media or a carousel, which leads somewhere. */
export interface LinkCardView {
  readonly kind: 'link';
  readonly slides: readonly SlideView[];
  /** The one destination of all slides; null when each has its own. */
  readonly destination: DestinationView | null;
}

/** A call to action of a conversation card. */
export interface CallView {
  /** A hashtag, with its sign. */
  readonly tag: string;
  /** The text that a person who chooses it posts. */
  readonly post: string;
}

/** A card that invites people to post. */
export interface ConversationCardView {
  readonly kind: 'conversation';
  readonly media: MediaView | null;
  readonly title: string | null;
  readonly calls: readonly CallView[];
  /** Shown to a person after they posted. */
  readonly thanks: {
    readonly text: string;
    readonly link: { readonly host: string; readonly url: string } | null;
    readonly unlocked: readonly MediaView[];
  };
}

/** A choice of a poll, with its result. */
interface ChoiceView {
  readonly label: string;
  readonly votes: number;
}

/** A poll with its results so far. */
export interface PollCardView {
  readonly kind: 'poll';
  readonly media: MediaView | null;
  readonly choices: readonly ChoiceView[];
  readonly ends_ms: number;
  /** Milliseconds until it ends; 0 when the results are final. */
  readonly remaining_ms: number;
}

/** Any card. */
export type CardView = LinkCardView | ConversationCardView | PollCardView;
