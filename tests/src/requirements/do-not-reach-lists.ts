/** Specification B, do-not-reach lists; reference, audiences section 8. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, store, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-REACH-CREATE': {
    clause: 'B Do-not-reach lists, POST; R audiences 8',
    text: 'a new list has the name of all lists, nobody on it, and is being processed; its description is optional',
    on: 'every adapter',
  },
  'B-REACH-ONE': {
    clause: 'B Do-not-reach lists; B Limits; R audiences 8 second list',
    text: 'an account has at most one list, and another one after deleting it',
    on: 'every adapter',
  },
  'B-REACH-RACE': {
    clause: 'B Limits, do-not-reach lists',
    text: 'of many lists that are created at the same moment one is',
    on: 'every adapter',
  },
  'B-REACH-LIST': {
    clause: 'B Do-not-reach lists, GET; R audiences 8 envelope',
    text: 'the list of lists has no pages, and shows deleted ones when asked',
    on: 'every adapter',
  },
  'B-REACH-ENVELOPE': {
    clause: 'R audiences 8 envelope and users batch',
    text: 'the list of lists has a next_cursor that is null; a users batch repeats its operations without users',
    on: wire,
  },
  'B-REACH-DELETE': {
    clause: 'B Do-not-reach lists, DELETE; A Shared conventions',
    text: 'a deleted list takes no users and cannot be deleted again; the data of its people are removed',
    on: 'every adapter',
  },
  'B-REACH-USERS': {
    clause: 'B Do-not-reach lists, users; R audiences 8 users batch',
    text: 'Update and Delete of people by e-mail addresses and telephone numbers; one entry for each operation counts its records',
    on: 'every adapter',
  },
  'B-REACH-KINDS': {
    clause: 'B Do-not-reach lists, users; R audiences 8 identifiers',
    text: 'other identifiers, and effective_at, are rejected; identifiers are hashed',
    on: 'every adapter',
  },
  'B-REACH-EXPIRES': {
    clause: 'B Do-not-reach lists, users, expires_at; R audiences 8 expires_at',
    text: 'expires_at is later than now and less than 13 months ahead, by default 13 months',
    on: 'every adapter',
  },
  'B-REACH-ALL-OR-NOTHING': {
    clause: 'A Shared conventions 7; B Do-not-reach lists, users',
    text: 'one wrong operation rejects the whole request',
    on: 'every adapter',
  },
  'B-REACH-PRIVACY': {
    clause: 'B Do-not-reach lists, users; our choice',
    text: 'neither responses nor the change log have identifiers or hashes',
    on: store,
  },
};

export const operations: OperationRows = {
  'do_not_reach_lists.list': {
    route: 'GET /12/accounts/:account_id/do_not_reach_lists',
    optional: 'with_deleted',
    capability: 'audiences.read',
  },
  'do_not_reach_lists.create': {
    route: 'POST /12/accounts/:account_id/do_not_reach_lists',
    optional: 'description',
    capability: 'audiences.write',
  },
  'do_not_reach_lists.delete': {
    route: 'DELETE /12/accounts/:account_id/do_not_reach_lists/:do_not_reach_list_id',
    capability: 'audiences.write',
  },
  'do_not_reach_lists.users': {
    route: 'POST /12/batch/accounts/:account_id/do_not_reach_lists/:do_not_reach_list_id/users',
    required: 'operations',
    items: 2500,
    itemParams: {
      Update: { required: 'users', optional: 'expires_at' },
      Delete: { required: 'users', optional: 'expires_at' },
    },
    capability: 'audiences.write',
  },
};
