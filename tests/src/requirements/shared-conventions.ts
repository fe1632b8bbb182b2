/** Specification A, shared conventions, errors and limits that hold for every operation. */
import { type Requirements, store, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'A-PATH-VERSION': {
    clause: 'A conventions 1',
    text: 'paths carry the version of their operation and no other: 5 for tailored audiences, else 12',
    on: wire,
  },
  'A-ACCOUNT-OF-CALLER': {
    clause: 'A conventions 2',
    text: 'a stranger to an account is answered as if there were none',
    on: wire,
  },
  'A-ENVELOPE-ENTITY': { clause: 'A conventions 3', text: 'one entity is {request: {params}, data}', on: wire },
  'A-ENVELOPE-LIST': {
    clause: 'A conventions 3',
    text: 'a list is {request, next_cursor, data}, empty ones too',
    on: wire,
  },
  'A-DELETED-SHOWN': {
    clause: 'A conventions 3',
    text: 'a deletion returns the entity with deleted true',
    on: 'every adapter',
  },
  'A-ECHO': { clause: 'R conventions 2', text: 'the echo holds what was sent, typed, and no defaults', on: wire },
  'A-ECHO-UNSET': { clause: 'R conventions 2', text: 'a parameter that unsets a field is echoed as null', on: wire },
  'A-ECHO-REFUSED': { clause: 'R conventions 7', text: 'a refusal echoes what could be read', on: wire },
  'A-COUNT': {
    clause: 'A conventions 4, count',
    text: 'a page holds 200 records, or 1 to 1000 as asked',
    on: 'every adapter',
  },
  'A-COUNT-BOUNDS': { clause: 'A conventions 4, count', text: 'a count below 1 or above 1000 is refused', on: typed },
  'A-CURSOR-WALK': {
    clause: 'A conventions 4, cursor',
    text: 'following the cursors gives every record once, in order',
    on: 'every adapter',
  },
  'A-CURSOR-STABLE': { clause: '2 REST', text: 'pages neither repeat nor skip while records come and go', on: store },
  'A-CURSOR-FOREIGN': {
    clause: 'A conventions 4, cursor',
    text: 'a cursor of another order, or no cursor at all, is refused',
    on: 'every adapter',
  },
  'A-CURSOR-ACCOUNT': {
    clause: 'DESIGN 4',
    text: 'a cursor of one account opens nothing in another',
    on: 'every adapter',
  },
  'A-SORT': {
    clause: 'A conventions 4, sort_by',
    text: 'every sortable attribute sorts both ways, nulls below all values',
    on: 'every adapter',
  },
  'A-SORT-PAGES': {
    clause: 'A conventions 4, sort_by',
    text: 'every order can be paged, through equal and missing values',
    on: 'every adapter',
  },
  'A-SORT-DEFAULT': { clause: 'R conventions 4', text: 'without an order the newest come first', on: 'every adapter' },
  'A-SORT-UNKNOWN': {
    clause: 'A conventions 4, sort_by',
    text: 'an attribute that does not sort is refused',
    on: 'every adapter',
  },
  'A-DELETED': {
    clause: 'A conventions 4, with_deleted',
    text: 'deleted records are listed and found only on demand',
    on: 'every adapter',
  },
  'A-TOTAL': {
    clause: 'A conventions 4, with_total_count',
    text: 'total_count is the number of matches on all pages, on demand',
    on: 'every adapter',
  },
  'A-TOTAL-CURSOR': {
    clause: 'A conventions 4, with_total_count',
    text: 'with_total_count and cursor exclude each other',
    on: 'every adapter',
  },
  'A-IDS': {
    clause: 'A conventions 4, <entity>_ids',
    text: 'up to 200 ids filter a list; unknown ones are left out',
    on: 'every adapter',
  },
  'A-IDS-201': { clause: 'A conventions 4, <entity>_ids', text: '201 ids are refused', on: typed },
  'A-Q': { clause: 'A conventions 4, q', text: 'q matches the beginning of a name in any case', on: 'every adapter' },
  'A-Q-LITERAL': {
    clause: 'A conventions 4, q',
    text: 'characters that patterns know stand for themselves',
    on: 'every adapter',
  },
  'A-TIMES': {
    clause: 'A conventions 5; R conventions 3',
    text: 'times come in with any offset and go out in UTC to the second',
    on: 'every adapter',
  },
  'A-MONEY': {
    clause: 'A conventions 5; 2 the slice',
    text: 'money is exact to the last of 64 bits, in and out',
    on: 'every adapter',
  },
  'A-MONEY-WIRE': {
    clause: 'A conventions 5; 2 the slice',
    text: 'money is exact in query, form, JSON body and batch',
    on: wire,
  },
  'A-MONEY-BEYOND': { clause: '2 quality', text: 'an amount above 64 bits, or none, is refused', on: typed },
  'A-PLACES': {
    clause: 'A conventions 6; DESIGN 3',
    text: 'parameters come in the query, a form or a JSON body',
    on: wire,
  },
  'A-UNSET': {
    clause: 'A conventions 6',
    text: 'an empty value unsets a field that can be removed',
    on: 'every adapter',
  },
  'A-UNSET-FIXED': { clause: 'A conventions 6', text: 'a field that cannot be removed is not emptied', on: wire },
  'A-PUT-PARTIAL': { clause: 'R conventions 5', text: 'a change touches only what it names', on: 'every adapter' },
  'A-BATCH': {
    clause: 'A conventions 7',
    text: 'a batch answers with its entities in the order of its items',
    on: 'every adapter',
  },
  'A-BATCH-ENVELOPE': {
    clause: 'A conventions 7; R conventions 6',
    text: 'a batch echoes its items with account_id',
    on: wire,
  },
  'A-BATCH-ATOMIC': {
    clause: 'A conventions 7',
    text: 'a batch with a fault at any index changes nothing and names the index',
    on: 'every adapter',
  },
  'A-BATCH-ALL-FAULTS': {
    clause: 'A Errors',
    text: 'a refused batch names the faults of all its items',
    on: 'every adapter',
  },
  'A-BATCH-41': { clause: 'C Limits; A Errors', text: 'a batch of 41 is refused as a whole', on: 'every adapter' },
  'A-BATCH-JSON': { clause: 'A conventions 7', text: 'a batch is a JSON array', on: wire },
  'A-SANDBOX-ONLY': { clause: 'A conventions 8', text: 'operations of the sandbox exist there only', on: wire },
  'A-AUTH': { clause: 'A Authentication 4', text: 'a call is signed by an authenticated user', on: wire },
  'A-PERMISSIONS': { clause: 'A Authentication 6', text: 'each permission allows what the table says', on: wire },
  'A-ERRORS': {
    clause: 'A Errors; R conventions 7',
    text: 'a refusal is a list of errors that name parameter and value',
    on: 'every adapter',
  },
  'A-ERRORS-ALL': { clause: 'R conventions 7', text: 'several faults give several errors', on: 'every adapter' },
  'A-ROUTE': {
    clause: 'R conventions 5',
    text: 'an unknown path is 404 ROUTE_NOT_FOUND, a wrong method 405',
    on: wire,
  },
  'A-RATE': { clause: 'R conventions 9', text: 'answers carry the rate limits of user and account', on: wire },
  'A-RATE-FIGURES': { clause: 'R conventions 9', text: 'the published figures are the default', on: wire },
  'A-RATE-EXCEEDED': { clause: 'R conventions 9', text: 'beyond the limit is 429 until the window ends', on: wire },
  'A-RATE-TOTAL': { clause: 'A Limits', text: 'requests with total_count have a limit of 200 in 15 minutes', on: wire },
  'A-RATE-STRANGER': { clause: 'DESIGN 5', text: 'a stranger cannot use up the limit of an account', on: wire },
  'A-Q-LENGTH': { clause: 'C Limits, q', text: 'q has 1 to 255 characters', on: typed },
  'A-LIST-EVERY': {
    clause: 'A conventions 4; C Endpoints',
    text: 'every list takes count, cursor and with_total_count as one does',
    on: typed,
  },
};
