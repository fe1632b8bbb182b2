export { checkTraits, isBirthDate } from './rules.ts';
export type { PersonTraits } from './traits.ts';
export { laterUserFields, UserObject } from './user.ts';
