/** The parts of which generic cards are made (specification B, Card component structure). */

/** The words of a button. */
export const buttonLabels = ['BOOK', 'CONNECT', 'INSTALL', 'OPEN', 'ORDER', 'PLAY', 'SHOP'] as const;
export type ButtonLabel = (typeof buttonLabels)[number];

/** Facts about media of a card, in responses only. */
export interface CardMediaMetadata {
  readonly type: 'IMAGE' | 'VIDEO';
  readonly url: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Milliseconds; of videos. */
  readonly video_duration?: number;
  /** Such as `16:9`; of videos. */
  readonly video_aspect_ratio?: string;
}

/** Facts about the media of a component, by media key. In responses; requests may repeat them, and they are ignored. */
interface WithMetadata {
  readonly media_metadata?: Readonly<Record<string, CardMediaMetadata>>;
}

/** An image or a video. */
export interface MediaComponent extends WithMetadata {
  readonly type: 'MEDIA';
  readonly media_key: string;
}

/** Images and videos that people swipe through. */
export interface SwipeableMediaComponent extends WithMetadata {
  readonly type: 'SWIPEABLE_MEDIA';
  readonly media_keys: readonly string[];
}

/** A page in the web. */
export interface WebsiteDestination {
  readonly type: 'WEBSITE';
  /** With `http` or `https`, in the normal form of URLs. */
  readonly url: string;
  /** The address that leads there over the platform. In responses; requests may repeat it, and it is ignored. */
  readonly tco_url?: string;
}

/** An app in one or both of the stores. */
export interface AppDestination {
  readonly type: 'APP';
  readonly country_code: string;
  readonly googleplay_app_id?: string;
  readonly ios_app_store_identifier?: string;
  readonly googleplay_deep_link?: string;
  readonly ios_deep_link?: string;
}

/** A headline with the page that the card opens. */
export interface DetailsComponent {
  readonly type: 'DETAILS';
  readonly title: string;
  readonly destination: WebsiteDestination;
}

/** A button with the app that the card opens. */
export interface ButtonComponent {
  readonly type: 'BUTTON';
  readonly label: { readonly type: 'ENUM'; readonly value: ButtonLabel };
  readonly destination: AppDestination;
}

/** The components of a card with one destination: its media, and what stands below them. */
export type CardComponents = readonly [
  media: MediaComponent | SwipeableMediaComponent,
  description: DetailsComponent | ButtonComponent,
];

/** A slide of a carousel in which every medium has a destination of its own. */
export type CardSlide = readonly [media: MediaComponent, details: DetailsComponent];

/** The content of a card: components, or slides. */
export type CardContent =
  | { readonly components: CardComponents; readonly slides?: undefined }
  | { readonly slides: readonly CardSlide[]; readonly components?: undefined };

/** Types of components by their place in a card. */
export const mediaTypes = ['MEDIA', 'SWIPEABLE_MEDIA'] as const;
export const descriptionTypes = ['DETAILS', 'BUTTON'] as const;

/** Limits of cards (specification B, Limits; the last three are our choice). */
export const cardLimits = {
  name: 80,
  /** Media of a SWIPEABLE_MEDIA component, and slides of a card. */
  carousel: { min: 2, max: 6 },
  title: 70,
  url: 2048,
  app_id: 255,
} as const;

/** A medium of a card and its place: the parameter, and the steps inside it. */
export interface PlacedMediaKey {
  readonly media_key: string;
  readonly place: readonly (string | number)[];
}

/** Returns the media of a card in their order, each as often as it is shown. */
export function mediaOf({ components, slides }: CardContent): readonly PlacedMediaKey[] {
  if (slides) {
    return slides.map(([{ media_key }], slide) => ({ media_key, place: [slide, 0, 'media_key'] }));
  }
  const [media] = components;
  if (media.type === 'MEDIA') return [{ media_key: media.media_key, place: [0, 'media_key'] }];
  return media.media_keys.map((media_key, index) => ({ media_key, place: [0, 'media_keys', index] }));
}
