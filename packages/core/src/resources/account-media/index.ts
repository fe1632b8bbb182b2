export { AccountMedia, type CreativeType, creativeTypes } from './entity.ts';
export { creativeTypeInLibrary, creativeTypeOf, type UploadedFacts, unusableMedia } from './rules.ts';
