/** Specification B, custom audience users and its limits; reference, audiences section 4. */
import { type Requirements, served, store, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-USERS-COUNTS': {
    clause: 'B Custom audience users; R audiences 4 counts',
    text: 'success_count and total_count are equal and count the user records of all operations',
    on: 'every adapter',
  },
  'B-USERS-ENVELOPE': {
    clause: 'R audiences 4 response',
    text: 'the request is repeated with the ids of its path and without users',
    on: wire,
  },
  'B-USERS-UPDATE': {
    clause: 'B Custom audience users; R audiences 4',
    text: 'an Update adds users by any kinds of identifiers, and adds identifiers to a user of whom one is known',
    on: 'every adapter',
  },
  'B-USERS-DELETE': {
    clause: 'R audiences 4 Delete',
    text: 'a Delete removes the user who has any of the identifiers, and its times are accepted',
    on: 'every adapter',
  },
  'B-USERS-ORDER': {
    clause: 'B Custom audience users; R audiences 4 mixing',
    text: 'operations of both types may be mixed, and apply in their order',
    on: 'every adapter',
  },
  'B-USERS-ALL-OR-NOTHING': {
    clause: 'B Custom audience users; R audiences 4 failure of one item',
    text: 'one wrong item rejects the whole request, with operation_errors at its index',
    on: 'every adapter',
  },
  'B-USERS-TIMES': {
    clause: 'B Custom audience users, params.effective_at and params.expires_at; B States, user association',
    text: 'expires_at is later than effective_at; they default to now and to 13 months after the request',
    on: 'every adapter',
  },
  'B-USERS-TYPE': {
    clause: 'B Custom audience users, operation_type',
    text: 'operation_type is Update or Delete, and required',
    on: 'every adapter',
  },
  'B-USERS-PARAMS': {
    clause: 'B Custom audience users, params and params.users; R audiences 4 user record keys',
    text: 'params is an object with users, each of which has at least one of six kinds of identifiers',
    on: 'every adapter',
  },
  'B-USERS-HASHED': {
    clause: 'B Custom audience users; R audiences 5 hash acceptance',
    text: 'every identifier but partner_user_id is a SHA-256 of 64 hex digits in either case; one that is not hashed is explained and not repeated',
    on: 'every adapter',
  },
  'B-USERS-JSON': {
    clause: 'B Custom audience users, JSON body required',
    text: 'the body is a JSON array with Content-Type application/json',
    on: wire,
  },
  'B-USERS-OPERATIONS': {
    clause: 'B Limits, custom audience users batch; R audiences 4',
    text: '2,500 operations are accepted, and one more rejects the request as a whole',
    on: 'every adapter',
  },
  'B-USERS-SIZE': {
    clause: 'B Limits, custom audience users batch; R audiences 4',
    text: 'a body of 5,000,000 bytes is accepted, and one more rejects the request as a whole; users have no limit besides',
    on: wire,
  },
  'B-USERS-RATE': {
    clause: 'B Limits, custom audience users batch; R audiences 4 rate',
    text: '1,500 requests a minute and account, whoever sends them',
    on: wire,
  },
  'B-USERS-PROCESSING': {
    clause: 'R audiences 3 state',
    text: 'an audience whose users changed is being processed',
    on: 'every adapter',
  },
  'B-USERS-FLEXIBLE': {
    clause: 'B States, flexible audience',
    text: 'a flexible audience takes no users',
    on: 'every adapter',
  },
  'B-USERS-PRIVACY': {
    clause: 'B Custom audience users; our choice',
    text: 'neither responses nor the change log have identifiers or hashes',
    on: store,
  },
  'B-USERS-DOCTOR': {
    clause: 'B Custom audience users, normalized; R audiences 5; our choice',
    text: 'in development mode a hash that came of an identifier of somebody by a known mistake is reported with its place, the mistake and the fix',
    on: 'every adapter',
  },
  'B-LIST-USERS-DOCTOR': {
    clause: 'B Do-not-reach lists, normalized; R audiences 5; our choice',
    text: 'in development mode wrongly hashed identifiers of a do-not-reach list are reported by operation',
    on: 'every adapter',
  },
  'B-USERS-DOCTOR-MODE': {
    clause: 'B Custom audience users; our choice',
    text: 'in production nobody learns from warnings whether the platform knows somebody',
    on: served,
  },
  'B-USERS-STRICT': {
    clause: 'A Errors; our choice',
    text: 'unknown and repeated members, empty lists and other types than text are rejected',
    on: typed,
  },
};
