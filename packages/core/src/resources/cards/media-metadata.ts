/** Facts about media beside the components of cards in responses (reference, creatives section 3). */
import { aspectRatio } from '../media-library/rules.ts';
import type { CardContent, CardMediaMetadata, MediaComponent, SwipeableMediaComponent } from './components.ts';
import type { CardMediaFacts } from './media-rules.ts';

/** Facts about media of a card, and their address. */
export interface CardMedia extends Pick<CardMediaFacts, 'media_key' | 'kind' | 'width' | 'height' | 'duration_ms'> {
  readonly url: string;
}

/** Adds the facts about media to the components that show them. */
export function withMetadata(content: CardContent, media: ReadonlyMap<string, CardMedia>): CardContent {
  if (content.slides) return { slides: content.slides.map(([medium, details]) => [add(medium, media), details]) };
  const [medium, description] = content.components;
  return { components: [add(medium, media), description] };
}

function add<Component extends MediaComponent | SwipeableMediaComponent>(
  component: Component,
  media: ReadonlyMap<string, CardMedia>,
): Component {
  const keys = component.type === 'MEDIA' ? [component.media_key] : component.media_keys;
  const known = keys.flatMap((key) => media.get(key) ?? []);
  if (known.length === 0) return component;
  const media_metadata = Object.fromEntries(known.map((facts) => [facts.media_key, metadataOf(facts)]));
  return { ...component, media_metadata };
}

function metadataOf({ kind, url, width, height, duration_ms }: CardMedia): CardMediaMetadata {
  if (kind !== 'video') return { type: 'IMAGE', url, width, height };
  return {
    type: 'VIDEO',
    url,
    width,
    height,
    ...(duration_ms === null ? {} : { video_duration: duration_ms }),
    video_aspect_ratio: aspectRatio(width, height),
  };
}
