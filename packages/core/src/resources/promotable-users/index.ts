export { PromotableUser, promotableUserTypes } from './entity.ts';
