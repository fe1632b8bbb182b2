export { type Conversation, MAX_CTA, type StoredCard } from './entity.ts';
export { type ConversationIssue, callsToAction, checkConversation } from './rules.ts';
