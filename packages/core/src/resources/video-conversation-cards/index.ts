export { displayVideoConversation, type StoredVideoConversation, VideoConversationCard } from './entity.ts';
export { changeVideoConversation, resolveVideoConversation, type VideoConversationContent } from './rules.ts';
