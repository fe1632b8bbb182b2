export { AccountHistoryRecord, changeTypes, type HistoryEntity, historyEntities } from './entity.ts';
export { checkHistorySpan } from './rules.ts';
export { historySchemas } from './schemas.ts';
