export { CustomAudiencePermission, permissionSortable, TailoredAudiencePermission } from './entity.ts';
export { checkSharing, type Sharing, type SharingIssue } from './rules.ts';
