export { oauth as handlers } from './handlers.ts';
