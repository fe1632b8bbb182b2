export * from './find.ts';
export { handlers } from './handlers.ts';
export { newAccount } from './new-account.ts';
