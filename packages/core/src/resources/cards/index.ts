export { isDeepLink, normalizeWebAddress } from './addresses.ts';
export { type CardType, cardTypeOf, cardTypes } from './card-types.ts';
export {
  type AppDestination,
  type ButtonComponent,
  type ButtonLabel,
  buttonLabels,
  type CardComponents,
  type CardContent,
  type CardMediaMetadata,
  type CardSlide,
  cardLimits,
  type DetailsComponent,
  type MediaComponent,
  mediaOf,
  type PlacedMediaKey,
  type SwipeableMediaComponent,
  type WebsiteDestination,
} from './components.ts';
export { Card, cardUri, contentOf, displayCard, numberOfCardUri, type StoredCard } from './entity.ts';
export type { CardMedia } from './media-metadata.ts';
export {
  type AspectRatio,
  type CardMediaError,
  type CardMediaFacts,
  type CardMediaSpec,
  cardMediaSpecs,
  checkCardMedia,
  hasRatio,
  type MediaPlace,
} from './media-rules.ts';
export type { CardChanges, CardCreate } from './params.ts';
export { checkMediaOfCard, givenContent, missingContent, storedContent } from './rules.ts';
