export { handlers } from './handlers.ts';
export { attach } from './leave-accounts.ts';
