export {
  checkIdentifiers,
  type IdentifierField,
  type IdentifierProblem,
  identifierFields,
  MAX_DEVICES,
  MAX_PHONE_NUMBERS,
  type PersonIdentifiers,
  readIdentifiers,
} from './identifiers.ts';
export { checkTraits, isBirthDate } from './rules.ts';
export { deletedAt, kept, restored, type StandingFlags, suspended } from './standing.ts';
export type { PersonTraits } from './traits.ts';
export { laterUserFields, UserObject } from './user.ts';
