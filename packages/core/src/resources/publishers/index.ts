export { checkCountries, checkPublisher, type PublisherTerms } from './rules.ts';
