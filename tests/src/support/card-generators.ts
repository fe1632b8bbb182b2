/** Valid cards of every type, at random. */
import { buttonLabels, cardLimits } from '@broadside/core/resources/cards';
import fc from 'fast-check';

/** Keys of media that a card can show. */
export interface CardMedia {
  readonly images: readonly [string, ...string[]];
  readonly videos: readonly [string, ...string[]];
}

/** Text that is stored as it is, of any characters, and not only of blanks. */
const textOf = (maxLength: number) =>
  fc.string({ unit: 'binary', minLength: 1, maxLength }).filter((text) => !text.includes('\0') && /\S/.test(text));

/** Web addresses in normal form. */
const url = fc
  .webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true, withFragments: true })
  .map((text) => new URL(text).href);

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/);
const deepLink = fc.tuple(word, word).map(([scheme, path]) => `x${scheme.replaceAll('_', '-')}://${path}`);
const countryCode = fc.constantFrom('AX', 'DE', 'GB', 'JP', 'US', 'ZW');

const android = fc.record(
  { googleplay_app_id: fc.tuple(word, word).map((words) => words.join('.')), googleplay_deep_link: deepLink },
  { requiredKeys: ['googleplay_app_id'] },
);
const apple = fc.record(
  { ios_app_store_identifier: fc.stringMatching(/^[1-9][0-9]{0,19}$/), ios_deep_link: deepLink },
  { requiredKeys: ['ios_app_store_identifier'] },
);
const app = fc
  .tuple(
    countryCode,
    fc.oneof(
      android,
      apple,
      fc.tuple(android, apple).map(([one, other]) => ({ ...one, ...other })),
    ),
  )
  .map(([country_code, ids]) => ({ type: 'APP' as const, country_code, ...ids }));

const details = fc.record({
  type: fc.constant('DETAILS' as const),
  title: textOf(cardLimits.title),
  destination: fc.record({ type: fc.constant('WEBSITE' as const), url }),
});

const button = fc.record({
  type: fc.constant('BUTTON' as const),
  label: fc.record({ type: fc.constant('ENUM' as const), value: fc.constantFrom(...buttonLabels) }),
  destination: app,
});

const carousel = { minLength: cardLimits.carousel.min, maxLength: cardLimits.carousel.max };

/** Bodies of cards that are accepted where the library has the media; all types are about as frequent. */
export function cardBodies({ images, videos }: CardMedia) {
  const content = fc.constantFrom(images, videos, [...images, ...videos]).chain((keys) => {
    const key = fc.constantFrom(...keys);
    const medium = fc.record({ type: fc.constant('MEDIA' as const), media_key: key });
    const swipeable = fc.record({ type: fc.constant('SWIPEABLE_MEDIA' as const), media_keys: fc.array(key, carousel) });
    return fc.oneof(
      fc.record({ components: fc.tuple(fc.oneof(medium, swipeable), fc.oneof(details, button)) }),
      fc.record({ slides: fc.array(fc.tuple(medium, details), carousel) }),
    );
  });
  return fc.tuple(textOf(cardLimits.name), content).map(([name, given]) => ({ name, ...given }));
}
