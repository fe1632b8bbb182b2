export { DraftPost, type StoredDraft } from './entity.ts';
export type { ContentChanges, ContentOfNew } from './params.ts';
export {
  type Content,
  type ContentError,
  changeContent,
  checkContent,
  checkContentOfNew,
  resolveContent,
} from './rules.ts';
