/** Rules on generic cards (specification B, Cards; reference, creatives section 3). Pure. */
import { type Issue, missingParameter } from '../../wire/issues.ts';
import { nameOfPlace } from '../../wire/nested.ts';
import { cardTypeOf } from './card-types.ts';
import { type CardContent, mediaOf } from './components.ts';
import type { Card, StoredCard } from './entity.ts';
import { type CardMediaError, type CardMediaFacts, cardMediaSpecs, checkCardMedia } from './media-rules.ts';

/** Content as parameters have it: one of the two, both or none. */
interface GivenContent {
  readonly components?: Card['components'] | undefined;
  readonly slides?: Card['slides'] | undefined;
}

/** Returns the content of a request; `undefined` where it has none. That it has both is rejected before. */
export function givenContent({ components, slides }: GivenContent): CardContent | undefined {
  if (components) return { components };
  return slides && { slides };
}

/** Returns the issue of a card without content. */
export function missingContent(): Issue<'MISSING_PARAMETER'> {
  return missingParameter('components', 'where "slides" is not given; a card has exactly one of them');
}

/**
 * Checks the media of a card. Our choice: the media of a carousel may differ in their ratios, as long as each has one of those
 * that the reference names.
 * @param found the media of the account's library among those of the card, by media key
 */
export function checkMediaOfCard(
  content: CardContent,
  found: ReadonlyMap<string, CardMediaFacts>,
): Issue<CardMediaError | 'MEDIA_NOT_FOUND'>[] {
  const parameter = content.slides ? 'slides' : 'components';
  return mediaOf(content).flatMap(({ media_key, place }): Issue<CardMediaError | 'MEDIA_NOT_FOUND'>[] => {
    const at = nameOfPlace(parameter, place);
    const facts = found.get(media_key);
    if (facts) return checkCardMedia({ parameter, at }, facts, cardMediaSpecs.generic);
    const message = `Expected media of the account's library, got "${media_key}" for ${at}`;
    return [{ error: 'MEDIA_NOT_FOUND', parameter, value: media_key, message }];
  });
}

/** Returns what is stored of a card's content, which replaces all of it (our reading of "each given field replaces the stored one"). */
export function storedContent(
  content: CardContent,
  found: ReadonlyMap<string, CardMediaFacts>,
): Pick<StoredCard, 'components' | 'slides' | 'card_type'> {
  const kinds = mediaOf(content).flatMap(({ media_key }) => found.get(media_key)?.kind ?? []);
  return {
    components: content.components ?? null,
    slides: content.slides ?? null,
    card_type: cardTypeOf(content, kinds),
  };
}
