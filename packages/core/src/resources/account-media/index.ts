export { AccountMedia, type CreativeType, creativeTypes } from './entity.ts';
export { creativeTypeOf, type UploadedFacts, unusableMedia } from './rules.ts';
