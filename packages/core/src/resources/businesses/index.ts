export { Business } from './entity.ts';
