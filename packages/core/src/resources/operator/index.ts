export type { User } from './users.ts';
