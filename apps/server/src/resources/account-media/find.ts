export { accountMedia } from './entity.ts';
