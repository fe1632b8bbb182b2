/** Requests of published clients that the documents do not describe, and what is read of them. */
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'T-BOOLEANS': {
    clause: 'clients, parameters',
    text: 'True, False, 1 and 0 are read as booleans; any other word is rejected with the right ones',
    on: wire,
  },
  'T-RESTATED': {
    clause: 'clients, save',
    text: 'sending all of an entity back as it was loaded, in any place, changes nothing and leaves no trace',
    on: wire,
  },
  'T-RESTATED-AGED': {
    clause: 'clients, save',
    text: 'the same when what an entity depends on has gone: media, credit, time, features, users, apps, and what is below it',
    on: wire,
  },
  'T-RESTATED-TWICE': {
    clause: 'clients, save',
    text: 'an entity that was loaded and changed can be saved, and saved again with what has become old of it',
    on: wire,
  },
  'T-RESTATED-CHANGED': {
    clause: 'clients, save',
    text: 'a member that an update does not take is rejected where it is another one, with the one that it is',
    on: wire,
  },
  'T-BATCH-FAULTS': {
    clause: 'A Errors',
    text: 'items that cannot be read do not hide what is wrong with the others, and nothing of the batch is kept',
    on: wire,
  },
  'T-SORT-DIRECTION': {
    clause: 'A conventions 4, sort_by',
    text: 'an order without a direction is rejected with the one that was probably meant, not with all that there are',
    on: wire,
  },
  'T-SORT-NAMES': {
    clause: 'A conventions 4, sort_by',
    text: 'in every list by name, case does not matter, letters with accents are beside those without, and equal names are in the order of creation',
    on: 'every adapter',
  },
  'T-SORT-NAMES-PAGES': {
    clause: 'A conventions 4, sort_by',
    text: 'names in any script, renamed, deleted, filtered and with other attributes, have that order on pages of any size, both ways',
    on: 'every adapter',
  },
  'T-SORT-NAMES-LONG': {
    clause: 'A conventions 4, sort_by',
    text: 'the longest names of any characters have cursors that their list takes again',
    on: 'every adapter',
  },
  'T-CURSOR-OLDER': {
    clause: 'A conventions 4, sort_by',
    text: 'a cursor from when names were in the order of code points is rejected, in every list: it would skip records',
    on: wire,
  },
  'T-CURSOR-EMPTY': { clause: 'clients, paging', text: 'an empty cursor is as none, in every list', on: wire },
};
