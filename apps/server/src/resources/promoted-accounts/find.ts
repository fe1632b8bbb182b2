export { promotedAccount } from './entity.ts';
