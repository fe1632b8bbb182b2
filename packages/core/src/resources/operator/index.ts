export type { ListedAccount, ShownAccount } from './account-list.ts';
export { type AuditEntry, type AuditLogName, auditLogs, checkAudit } from './audit.ts';
export type { Creative } from './creatives.ts';
export { type AppExportRecord, appExportParts, type ExportRecord, exportParts } from './export.ts';
export type { ModeratedPost, ModerationState } from './moderation.ts';
export { MAX_SEED_LENGTH } from './seeds.ts';
export type { User } from './users.ts';
