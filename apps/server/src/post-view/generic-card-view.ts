/** Cards of components and slides, as a post shows them. */
import type {
  ButtonComponent,
  ButtonLabel,
  Card,
  CardComponents,
  DetailsComponent,
} from '@broadside/core/resources/cards';
import type { AppView, DestinationView, LinkCardView, SlideView, StoreView, WebsiteView } from './card-view.ts';
import type { MediaView } from './media-view.ts';
import { hostOf, outwardUrl } from './outward-url.ts';

/** Finds media by their keys; null when they are gone. */
export type FindMedia = (media_key: string) => MediaView | null;

/** Returns the media that a card shows, by their keys. */
export function mediaKeysOf({ components, slides }: Card): readonly string[] {
  if (slides) return slides.map(([{ media_key }]) => media_key);
  return components ? keysOf(components) : [];
}

function keysOf([media]: CardComponents): readonly string[] {
  return media.type === 'MEDIA' ? [media.media_key] : media.media_keys;
}

/** A card of components or slides. */
export function genericCardView({ components, slides }: Card, media: FindMedia): LinkCardView {
  if (slides) {
    const each = slides.map(([{ media_key }, details]) => slideOf(media(media_key), websiteOf(details)));
    return { kind: 'link', slides: each, destination: null };
  }
  if (!components) throw new TypeError('a card has neither components nor slides');
  const [, description] = components;
  return {
    kind: 'link',
    slides: keysOf(components).map((key) => slideOf(media(key), null)),
    destination: description.type === 'DETAILS' ? websiteOf(description) : appOf(description),
  };
}

function slideOf(media: MediaView | null, destination: DestinationView | null): SlideView {
  return { media, destination };
}

function websiteOf({ title, destination: { url } }: DetailsComponent): WebsiteView {
  return { kind: 'website', title, host: hostOf(url), url: outwardUrl(url) };
}

const LABELS: Readonly<Record<ButtonLabel, string>> = {
  BOOK: 'Book',
  CONNECT: 'Connect',
  INSTALL: 'Install',
  OPEN: 'Open',
  ORDER: 'Order',
  PLAY: 'Play',
  SHOP: 'Shop',
};

function appOf({ label, destination }: ButtonComponent): AppView {
  const { country_code, googleplay_app_id, ios_app_store_identifier, googleplay_deep_link, ios_deep_link } =
    destination;
  const country = encodeURIComponent(country_code.toLowerCase());
  const stores: StoreView[] = [];
  if (ios_app_store_identifier !== undefined) {
    const url = `https://apps.apple.com/${country}/app/id${encodeURIComponent(ios_app_store_identifier)}`;
    stores.push({ store: 'App Store', url });
  }
  if (googleplay_app_id !== undefined) {
    const query = new URLSearchParams({ id: googleplay_app_id, gl: country_code });
    stores.push({ store: 'Google Play', url: `https://play.google.com/store/apps/details?${query}` });
  }
  const deep_links = [...new Set([ios_deep_link ?? [], googleplay_deep_link ?? []].flat())];
  return { kind: 'app', label: LABELS[label.value], stores, deep_links };
}
