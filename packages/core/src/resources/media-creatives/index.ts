export { MediaCreative } from './entity.ts';
export { checkMediaCreative, landingUrlOf, type MediaCreativeIssue } from './rules.ts';
