export { endOfDay } from './days.ts';
export { Account, type ApprovalStatus, accountSortable, approvalStatuses, industryTypes } from './entity.ts';
