export { DraftPost, type StoredDraft } from './entity.ts';
