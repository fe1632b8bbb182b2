export { oauth2 as handlers } from './handlers.ts';
