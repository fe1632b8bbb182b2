export { AnyCard, type AnyCardSchema } from './entity.ts';
