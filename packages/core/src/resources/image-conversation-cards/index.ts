export { displayImageConversation, ImageConversationCard, type StoredImageConversation } from './entity.ts';
export { changeImageConversation, type ImageConversationContent, resolveImageConversation } from './rules.ts';
