export { attach } from './attach.ts';
export { handlers } from './handlers.ts';
