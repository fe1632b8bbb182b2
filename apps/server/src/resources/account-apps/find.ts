export { accountApp } from './entity.ts';
