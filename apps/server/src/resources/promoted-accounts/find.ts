export { promotedAccount } from './entity.ts';
export { promotedAccounts } from './table.ts';
