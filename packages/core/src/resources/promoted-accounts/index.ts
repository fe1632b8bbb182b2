export { PromotedAccount } from './entity.ts';
export { checkPromotedAccount, checkPromotedAccountFilter } from './rules.ts';
