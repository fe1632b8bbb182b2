import { promotableUser } from './entity.ts';

export * from './find.ts';
export { handlers } from './handlers.ts';
export { newAccount } from './new-account.ts';
export const entities: readonly [typeof promotableUser] = [promotableUser];
