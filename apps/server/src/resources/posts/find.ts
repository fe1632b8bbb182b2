export { publishPost } from './publish.ts';
