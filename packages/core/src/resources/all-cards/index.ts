export type { AnyCard } from './entity.ts';
