export { media as handlers } from './handlers.ts';
