export {
  declarableMediaTypes,
  defaultMediaCategories,
  type MediaCategory,
  type MediaKind,
  mediaCategories,
  mediaKinds,
  uploadLimits,
} from './categories.ts';
export { MediaObject } from './media.ts';
export { UploadedMedia, UploadedMediaV1 } from './schemas.ts';
