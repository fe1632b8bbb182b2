export { DraftPost } from './entity.ts';
export type { ContentChanges, ContentOfNew } from './params.ts';
export {
  type Content,
  changeContent,
  checkContent,
  checkContentOfNew,
  resolveContent,
} from './rules.ts';
