/** Components and slides on the wire: read from what callers send, and their form in documents. */
import { nested } from '../../wire/nested.ts';
import { type JsonSchema, wireTypeOf } from '../../wire/types.ts';
import { ComponentReader, fields } from './component-reader.ts';
import {
  type ButtonComponent,
  type CardComponents,
  type CardMediaMetadata,
  type CardSlide,
  cardLimits,
  type DetailsComponent,
  type MediaComponent,
  type SwipeableMediaComponent,
} from './components.ts';

/** A component with members of responses as callers may repeat them: they are ignored, whatever they hold. */
type Sent<Component> = Component extends MediaComponent | SwipeableMediaComponent
  ? Omit<Component, 'media_metadata'> & { readonly media_metadata?: unknown }
  : Component;

/** The components of a card as callers send them. */
export type CardComponentsInput = readonly [
  media: Sent<MediaComponent> | Sent<SwipeableMediaComponent>,
  description: DetailsComponent | ButtonComponent,
];

/** A slide as callers send it. */
export type CardSlideInput = readonly [media: Sent<MediaComponent>, details: DetailsComponent];

/** The JSON Schema of a field. */
const jsonOf = (name: keyof typeof fields): JsonSchema => wireTypeOf(fields[name])?.json ?? {};

function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

const constant = (value: string): JsonSchema => ({ type: 'string', enum: [value] });

const metadataMembers: { readonly [Name in keyof Required<CardMediaMetadata>]: JsonSchema } = {
  type: { type: 'string', enum: ['IMAGE', 'VIDEO'] },
  url: { type: 'string' },
  width: { type: 'integer' },
  height: { type: 'integer' },
  video_duration: { type: 'integer' },
  video_aspect_ratio: { type: 'string' },
};

const media_metadata: JsonSchema = {
  type: 'object',
  description: 'Facts about the media, by media key. In responses only; ignored in requests.',
  additionalProperties: object(metadataMembers, ['video_duration', 'video_aspect_ratio']),
};

const bounds = { minItems: cardLimits.carousel.min, maxItems: cardLimits.carousel.max };

const mediaJson = object({ type: constant('MEDIA'), media_key: jsonOf('media_key'), media_metadata }, [
  'media_metadata',
]);

const swipeableJson = object(
  {
    type: constant('SWIPEABLE_MEDIA'),
    media_keys: { type: 'array', items: jsonOf('media_key'), ...bounds },
    media_metadata,
  },
  ['media_metadata'],
);

const detailsJson = object({
  type: constant('DETAILS'),
  title: jsonOf('title'),
  destination: object(
    {
      type: constant('WEBSITE'),
      url: jsonOf('url'),
      tco_url: {
        type: 'string',
        description: 'A short address that leads to the URL. In responses only; ignored in requests.',
      },
    },
    ['tco_url'],
  ),
});

const optionalOfApp = ['googleplay_app_id', 'ios_app_store_identifier', 'googleplay_deep_link', 'ios_deep_link'];

const buttonJson = object({
  type: constant('BUTTON'),
  label: object({ type: constant('ENUM'), value: jsonOf('label') }),
  destination: object(
    {
      type: constant('APP'),
      country_code: jsonOf('country_code'),
      googleplay_app_id: jsonOf('googleplay_app_id'),
      ios_app_store_identifier: jsonOf('ios_app_store_identifier'),
      googleplay_deep_link: jsonOf('deep_link'),
      ios_deep_link: jsonOf('deep_link'),
    },
    optionalOfApp,
  ),
});

const pair = (...kinds: readonly JsonSchema[]): JsonSchema => ({
  type: 'array',
  items: { anyOf: kinds },
  minItems: 2,
  maxItems: 2,
});

/** Tells values of requests from those of responses, which have facts about media. */
type Use = 'sent' | 'shown';

/** The components of a card. */
export function components(use: Use) {
  return nested<CardComponents, CardComponentsInput>(
    pair(mediaJson, swipeableJson, detailsJson, buttonJson),
    'a list of components',
    (raw, report) => new ComponentReader(report, use === 'shown').components(raw),
  );
}

/** The slides of a card. */
export function slides(use: Use) {
  return nested<readonly CardSlide[], readonly CardSlideInput[]>(
    { type: 'array', items: pair(mediaJson, detailsJson), ...bounds },
    'a list of slides',
    (raw, report) => new ComponentReader(report, use === 'shown').slides(raw),
  );
}
