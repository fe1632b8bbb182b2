export { collatedName } from './collated-name.ts';
export {
  type EntityRange,
  type ExtractOptions,
  extractEntities,
  type MentionEntity,
  type TagEntity,
  type TextEntities,
  type UrlEntity,
  withoutEntities,
} from './entities.ts';
export { weightLimit } from './limits.ts';
export { displayUrl, expandedUrl } from './link-forms.ts';
export { repostText } from './repost-text.ts';
export { isValidPost, type TextFault, type TextWeight, weightedLength } from './weighted-length.ts';
