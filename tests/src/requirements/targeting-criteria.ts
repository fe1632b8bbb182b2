/** Reference, targeting 1 to 4: targeting criteria. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { type Requirements, store, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'T-CRITERION': {
    clause: 'R targeting 1',
    text: 'a criterion has the members of the reference, operator EQ unless another is given, and a place its kind',
    on: 'every adapter',
  },
  'T-CRITERION-NAMES': {
    clause: 'R targeting 6',
    text: 'a criterion is called what its value means',
    on: 'every adapter',
  },
  'T-CRITERION-LANG': {
    clause: 'R targeting 1, localized_name',
    text: 'the name in another language is given on demand, where there is one',
    on: 'every adapter',
  },
  'T-CRITERION-LANG-UNKNOWN': {
    clause: 'R targeting 2, lang',
    text: 'a language that is none is refused',
    on: 'every adapter',
  },
  'T-LIST': {
    clause: 'R targeting 2, GET list',
    text: 'criteria are listed by line items, of which up to 200 must be named',
    on: typed,
  },
  'T-LIST-FILTERS': {
    clause: 'R targeting 2, GET list',
    text: 'a list holds the criteria of the line items and ids that are named, pages and sorted as asked',
    on: 'every adapter',
  },
  'T-NO-UPDATE': { clause: 'R targeting 2, PUT', text: 'criteria cannot be changed', on: wire },
  'T-DELETE': {
    clause: 'R targeting 2, DELETE',
    text: 'a deleted criterion is returned as such, shown on demand, and not deleted twice',
    on: 'every adapter',
  },
  'T-UNKNOWN': {
    clause: 'R targeting 2, errors',
    text: 'an unknown criterion and an unknown line item answer 404',
    on: 'every adapter',
  },
  'T-HIDDEN': {
    clause: 'C States, line item DELETE',
    text: 'criteria of a deleted line item or campaign are among the deleted ones, and say that they are not deleted',
    on: 'every adapter',
  },
  'T-AGAIN': {
    clause: 'R targeting 2, POST',
    text: 'a criterion that the line item has already is answered with, unchanged',
    on: 'every adapter',
  },
  'T-BATCH': {
    clause: 'R targeting 2, batch',
    text: 'a batch creates and deletes criteria in the order given, and nothing else',
    on: 'every adapter',
  },
  'T-BATCH-ECHO': {
    clause: 'R targeting 2, batch response',
    text: 'a batch echoes its items with account_id, ids as sent',
    on: wire,
  },
  'T-BATCH-ATOMIC': {
    clause: 'R conventions 6',
    text: 'a batch with a fault names it at its item and changes nothing',
    on: 'every adapter',
  },
  'T-BATCH-BLAME': {
    clause: 'R conventions 6; R targeting 3',
    text: 'criteria that do not go together are told at the last item that brought it about, of the line item that it is about',
    on: 'every adapter',
  },
  'T-BATCH-ORDER': {
    clause: 'R targeting 2, batch response',
    text: 'limits hold in the order of the items, and a criterion is deleted once',
    on: 'every adapter',
  },
  'T-BATCH-OLD-FAULTS': {
    clause: '5 What must work',
    text: 'what stood before a call is not held against it',
    on: store,
  },
  'T-BATCH-LIMIT': { clause: 'R targeting 2, batch', text: 'a batch has up to 500 items', on: typed },
  'T-TYPE-UNKNOWN': {
    clause: 'R targeting 2, errors',
    text: 'a type that is none is refused as such',
    on: typed,
  },
  'T-TYPE-FORMER': {
    clause: 'R targeting 3, deprecated',
    text: 'a type of earlier versions is refused with what took its place',
    on: typed,
  },
  'T-VALUES': {
    clause: 'R targeting 3, value',
    text: 'each type takes values of its kind, and refuses others with what would be right',
    on: 'every adapter',
  },
  'T-VALUES-NUMBER': {
    clause: 'R targeting 1, targeting_value; 5, tv_shows',
    text: 'a value that is a number can be given as one, and is text in what is stored and echoed',
    on: 'every adapter',
  },
  'T-VALUES-CAMPAIGN': {
    clause: 'R targeting 3, CAMPAIGN_ENGAGEMENT',
    text: 'those who engaged with a campaign are those of a campaign of the account that is not deleted',
    on: 'every adapter',
  },
  'T-OPERATORS': {
    clause: 'R targeting 3, operators',
    text: 'each type takes its operators and refuses the others',
    on: 'every adapter',
  },
  'T-PRIMARY': { clause: 'R targeting 3, primary', text: 'types are primary or not as the reference says', on: store },
  'T-ONE': {
    clause: 'R targeting 3, AGE and EVENT',
    text: 'a line item has one age bucket and one event',
    on: 'every adapter',
  },
  'T-LIMITS': {
    clause: 'R targeting 3, limit',
    text: 'a line item has up to 1,000 keywords of all types, and up to 100 interests',
    on: store,
  },
  'T-LIMITS-MANY': {
    clause: 'R targeting 3, limit',
    text: 'a line item has up to 2,000 places, and up to 100 users whose followers are alike',
    on: store,
  },
  'T-LIMIT-EXACT': {
    clause: 'R targeting 3, limit; 5 Proof',
    text: 'the limit of criteria is exact under concurrent requests',
    on: store,
  },
  'T-AGES': { clause: 'R targeting 4', text: 'the 20 age buckets are taken and no other', on: 'every adapter' },
  'T-FOLLOWERS': {
    clause: 'R targeting 3, FOLLOWERS_OF_USER',
    text: 'only the followers of the FULL promotable user can be targeted, and those like the followers of anybody',
    on: 'every adapter',
  },
  'T-AUDIENCES': {
    clause: 'R targeting 2, errors',
    text: 'an audience that is not targetable, deleted, or of another account is rejected, with the reason',
    on: 'every adapter',
  },
  'T-AUDIENCES-TARGETED': {
    clause: 'R targeting 3, CUSTOM_AUDIENCE; R audiences 3, targetable_types',
    text: 'an audience is targeted as it is, expanded, or left out, whatever its type',
    on: 'every adapter',
  },
  'T-AUDIENCES-KEPT': {
    clause: 'B States, custom audience DELETE',
    text: 'a line item keeps the audience that it targets when that is deleted or becomes too small',
    on: 'every adapter',
  },
  'T-AUDIENCES-SHARED': {
    clause: 'B States, DELETE permission',
    text: 'a shared audience is targeted; once revoked, existing criteria keep it and new ones are rejected',
    on: 'every adapter',
  },
  'T-AUDIENCES-LEAVES': {
    clause: 'B States, DELETE permission; B Custom audiences, batch',
    text: 'a flexible audience on a shared one is targeted until that is revoked',
    on: 'every adapter',
  },
  'T-AUDIENCES-MATRIX': {
    clause: '5 Proof, permission matrix and tenancy of audiences',
    text: 'what an account may do with an audience follows from owning it, the level at which it is shared, or neither',
    on: 'every adapter',
  },
  'T-AUDIENCES-RACES': {
    clause: '5 Proof, races on grants',
    text: 'a criterion that is created while its audience is revoked exists only if it was created before',
    on: store,
  },
  'T-PUBLISHERS': {
    clause: 'R targeting 3, CONTENT_PUBLISHER_USER',
    text: 'publishers are left out with NE and in a batch only, 50 of them, or 5 beside a curated category',
    on: store,
  },
  'T-IAB-WHOLE': {
    clause: 'C content categories; R targeting 3, IAB_CATEGORY',
    text: 'IAB categories are targeted and deleted by whole content categories, in a batch',
    on: 'every adapter',
  },
  'T-IAB-CURATED': {
    clause: 'R campaign-management 11',
    text: 'a line item has a curated category or content categories',
    on: store,
  },
  'T-IAB-UNKNOWN': {
    clause: 'R targeting 2, errors',
    text: 'an IAB category that is none is INVALID_IAB_CATEGORY, with 404 outside a batch',
    on: 'every adapter',
  },
  'T-TV-LOCATION': {
    clause: 'R targeting 2, errors; 3, TV_SHOW',
    text: 'a TV show needs a place, and one where it is on',
    on: 'every adapter',
  },
  'T-TV-KEEPS-LOCATION': {
    clause: 'R targeting 3, TV_SHOW',
    text: 'the place that a TV show needs cannot be taken away from it',
    on: 'every adapter',
  },
  'T-ENGAGEMENT': {
    clause: 'R targeting 3, ENGAGEMENT_TYPE',
    text: 'how people engaged needs what they engaged with, in any order within a batch',
    on: 'every adapter',
  },
  'T-DEVICE-PLATFORM': {
    clause: 'R targeting 3, device and platform',
    text: 'devices and their platform as a whole exclude each other, devices and versions do not',
    on: 'every adapter',
  },
  'T-CONTRADICTION': {
    clause: 'R targeting 3, operators',
    text: 'the same value is not targeted and left out at once',
    on: 'every adapter',
  },
  'T-SEARCH': {
    clause: 'R targeting 3, placements',
    text: 'line items in search only refuse followers, interests, TV and engagers, and take keywords',
    on: 'every adapter',
  },
  'T-TIMELINE': {
    clause: 'R targeting 3, placements',
    text: 'line items in timeline and profile only refuse exact keywords',
    on: 'every adapter',
  },
  'T-APP-LIST': {
    clause: 'R targeting 3, APP_LIST',
    text: 'app lists need placements of the network',
    on: 'every adapter',
  },
  'T-APP-PLATFORM': {
    clause: 'C Line items; R campaign-management 9.4',
    text: 'an app of a line item adds its platform, and takes it away when it goes',
    on: 'every adapter',
  },
  'T-APP-PLATFORM-KEPT': {
    clause: 'C Line items',
    text: 'a platform that the advertiser chose stays, and one that was deleted does not come back',
    on: 'every adapter',
  },
  'T-APP-PLATFORM-BATCH': {
    clause: 'C Line items; R campaign-management 9.4',
    text: 'a batch of line items adds and takes away the platforms of their apps, and an exclusion stands against them',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'targeting_criteria.list': {
    route: 'GET /12/accounts/:account_id/targeting_criteria',
    required: 'line_item_ids',
    optional: `targeting_criterion_ids lang ${PAGE}`,
    sortable: 'created_at updated_at name',
    capability: 'campaigns.read',
  },
  'targeting_criteria.get': {
    route: 'GET /12/accounts/:account_id/targeting_criteria/:targeting_criterion_id',
    optional: 'lang with_deleted',
    capability: 'campaigns.read',
  },
  'targeting_criteria.create': {
    route: 'POST /12/accounts/:account_id/targeting_criteria',
    required: 'line_item_id targeting_type targeting_value',
    optional: 'operator_type',
    capability: 'campaigns.write',
  },
  'targeting_criteria.batch': {
    route: 'POST /12/batch/accounts/:account_id/targeting_criteria',
    required: 'operations',
    items: 500,
    capability: 'campaigns.write',
  },
  'targeting_criteria.delete': {
    route: 'DELETE /12/accounts/:account_id/targeting_criteria/:targeting_criterion_id',
    capability: 'campaigns.write',
  },
};
