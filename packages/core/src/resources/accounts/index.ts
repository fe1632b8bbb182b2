export { Account, accountSortable, approvalStatuses, industryTypes } from './entity.ts';
