export { AnnotationEntity, MentionEntity, TagEntity, UrlEntity } from './entities.ts';
export {
  type Expansion,
  type IncludesKey,
  type PostExpansion,
  postExpansionNames,
  postExpansions,
} from './expansions.ts';
export { MAX_LOOKUP_IDS } from './operations.ts';
export { Place, Poll } from './poll-and-place.ts';
export {
  laterPostFields,
  Post,
  type ReferenceType,
  type ReplySettings,
  referenceTypes,
  replySettings,
} from './post.ts';
export {
  checkCardOrMedia,
  checkMediaMix,
  checkPosting,
  checkPostText,
  checkVideo,
  MAX_POST_IMAGES,
  MAX_POST_NAME,
  type PostContent,
  type Posting,
  type VideoCta,
  type VideoTexts,
  videoCtas,
} from './rules.ts';
