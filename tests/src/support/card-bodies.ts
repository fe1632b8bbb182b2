/** Parts of the bodies of cards, for scenarios and fixtures. */
import type { ButtonComponent, CardComponents, CardSlide, DetailsComponent } from '@broadside/core/resources/cards';

/** A headline with a page of the web. */
export function details(
  title = 'Rain barrels in three sizes',
  url = 'https://garden.example.com/barrels',
): DetailsComponent {
  return { type: 'DETAILS', title, destination: { type: 'WEBSITE', url } };
}

/** A button that installs an app. */
export function button(destination: Partial<ButtonComponent['destination']> = {}): ButtonComponent {
  return {
    type: 'BUTTON',
    label: { type: 'ENUM', value: 'INSTALL' },
    destination: { type: 'APP', country_code: 'US', googleplay_app_id: 'com.example.garden', ...destination },
  };
}

/** Components of a card: one medium, or several to swipe through. */
export function componentsOf(
  media: string | readonly string[],
  description: DetailsComponent | ButtonComponent = details(),
): CardComponents {
  return typeof media === 'string'
    ? [{ type: 'MEDIA', media_key: media }, description]
    : [{ type: 'SWIPEABLE_MEDIA', media_keys: media }, description];
}

/** Slides of a card, each with a destination of its own. */
export function slidesOf(...media_keys: readonly string[]): CardSlide[] {
  return media_keys.map((media_key, index) => [
    { type: 'MEDIA', media_key },
    details(`Slide ${index + 1}`, `https://garden.example.com/slides/${index + 1}`),
  ]);
}

/** The content of a card without what responses add to it. */
export function contentSent({ components, slides }: Readonly<Record<string, unknown>>): unknown {
  return withoutMetadata(components ? { components } : { slides });
}

function withoutMetadata(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMetadata);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== 'media_metadata');
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutMetadata(member)]));
}
