export { checkGivenMedia } from './given-media.ts';
export { readCardMedia } from './shown-media.ts';
