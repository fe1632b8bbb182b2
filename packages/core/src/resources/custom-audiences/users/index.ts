/** Facts of batches of users that clients need too. Needs no schemas. */
export { MAX_IDENTIFIERS, MAX_USER_OPERATIONS, MONTHS_IN_EFFECT } from './limits.ts';
export { addMonths, MAX_TIME_S } from './times.ts';
export { audienceUsersShape, listUsersShape, type UsersShape } from './users-shape.ts';
