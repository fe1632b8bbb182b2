export { handlers } from './handlers-v5.ts';
