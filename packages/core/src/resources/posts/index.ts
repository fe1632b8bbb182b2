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
  type ConversationSettings,
  type CreatedPost,
  conversationSettings,
  type EntitiesV1,
  type ListedPost,
  type PostType,
  postTypes,
  type UserV1,
} from './post-v1.ts';
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
export {
  compatText,
  formatTimeV1,
  fullText,
  type MentionedUser,
  type PostText,
  type TextLink,
  type TextV1,
} from './text-v1.ts';
