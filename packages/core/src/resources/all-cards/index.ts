export { AnyCard } from './entity.ts';
