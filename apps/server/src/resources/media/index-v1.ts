export { media_v1 as handlers } from './handlers.ts';
