export * from './find.ts';
export { handlers } from './handlers.ts';
