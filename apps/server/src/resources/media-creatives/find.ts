export { mediaCreative } from './entity.ts';
