/** Specification B, custom audiences. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { type Requirements, served, store, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-AUDIENCE-CREATE': {
    clause: 'B Custom audiences, POST; R audiences 3, just created',
    text: 'a new audience is an empty placeholder that is being processed',
    on: 'every adapter',
  },
  'B-AUDIENCE-BOUNDS': {
    clause: 'B Custom audiences, POST and PUT; A Shared conventions',
    text: 'a name is required and has 1 to 255 characters, a description up to 255',
    on: typed,
  },
  'B-AUDIENCE-NAME': {
    clause: 'B Custom audiences, POST and PUT name; A Errors',
    text: 'a name is unique among the audiences of the account that are not deleted, whatever its case',
    on: 'every adapter',
  },
  'B-AUDIENCE-NAME-RACE': {
    clause: 'B Custom audiences, POST and PUT name',
    text: 'of many requests for one name at once, exactly one succeeds',
    on: served,
  },
  'B-AUDIENCE-UPDATE': {
    clause: 'B Custom audiences, PUT; A Shared conventions 6',
    text: 'an update changes what is given, and removes a description by an empty value',
    on: 'every adapter',
  },
  'B-AUDIENCE-ECHO': {
    clause: 'R conventions 2',
    text: 'the echo has the parameters of path and call, and a removed description as null',
    on: wire,
  },
  'B-AUDIENCE-STATE': {
    clause: 'R audiences 3, states',
    text: 'targetable, reasons and size follow from the count of matched people',
    on: 'every adapter',
  },
  'B-AUDIENCE-DELETE': {
    clause: 'B States, custom audience DELETE; R audiences 3, deleted',
    text: 'a deleted audience is hidden from reads unless with_deleted, not targetable, and cannot be changed or deleted again',
    on: 'every adapter',
  },
  'B-AUDIENCE-DELETE-MEMBERS': {
    clause: 'B States, custom audience DELETE',
    text: 'the data of the members of a deleted audience are removed, and of no other',
    on: store,
  },
  'B-AUDIENCE-FILTER': {
    clause: 'B Custom audiences, GET custom_audience_ids, permission_scope and q',
    text: 'audiences are found by ids, by the beginning of the name in any case, and by who owns them',
    on: 'every adapter',
  },
  'B-AUDIENCE-FILTER-BOUNDS': {
    clause: 'B Custom audiences, GET',
    text: 'q has 1 to 255 characters, custom_audience_ids up to 200 ids, permission_scope one of two words',
    on: typed,
  },
  'B-MEMBERS-STATES': {
    clause: 'R audiences 3',
    text: 'an audience is processed after its creation and after each upload, and can be targeted with 100 matched people',
    on: 'every adapter',
  },
  'B-MEMBERS-TIMES': {
    clause: 'B States',
    text: 'a user association is in effect from effective_at until expires_at, by the clock and without any write',
    on: 'every adapter',
  },
  'B-MEMBERS-ESTIMATE': {
    clause: 'C Audience estimate',
    text: 'an estimate counts the members of custom audiences, included and left out',
    on: 'every adapter',
  },
  'B-MEMBERS-FLEXIBLE': {
    clause: 'B Custom audiences',
    text: 'a flexible audience has the people of its tree, and follows its leaves as they change',
    on: 'every adapter',
  },
  'B-MEMBERS-OTHERS': {
    clause: 'B Custom audiences',
    text: 'sizes and estimates tell no other account whether one person is in an audience (our choice of how)',
    on: 'every adapter',
  },
  'B-MEMBERS-NOT-REACHED': {
    clause: 'B Do-not-reach lists',
    text: "people on the account's do-not-reach list are left out of its estimates, and stay in its audiences",
    on: 'every adapter',
  },
  'B-MEMBERS-REMATCHED': {
    clause: 'R audiences 3',
    text: 'members are matched with people of the platform as these are when the audience is counted',
    on: 'every adapter',
  },
  'B-AUDIENCE-LIST': {
    clause: 'B Custom audiences, GET count, cursor, sort_by, with_deleted and with_total_count',
    text: 'audiences are listed in pages, in any order, and counted',
    on: 'every adapter',
  },
  'B-AUDIENCE-CURSOR': {
    clause: 'B Custom audiences, GET cursor',
    text: 'no audience is missing or repeated on the pages of a list while audiences are created, renamed and deleted',
    on: served,
  },
  'B-AUDIENCE-HISTORY': {
    clause: 'B Custom audiences; C Account history',
    text: 'account history and the change log have what changes of an audience, and no count or identifier of its members',
    on: 'every adapter',
  },
  'B-FLEXIBLE-CREATE': {
    clause: 'B Batch of custom audiences; R audiences 7',
    text: 'a flexible audience is created with the tree of its segments, defaults filled in on every node',
    on: 'every adapter',
  },
  'B-FLEXIBLE-ECHO': {
    clause: 'R audiences 7, request',
    text: 'a batch echoes trees as they were sent, and the account',
    on: wire,
  },
  'B-FLEXIBLE-REQUIRED': {
    clause: 'B Batch of custom audiences',
    text: 'name, audience_type and segments are required; the types are FLEXIBLE and MOBILE_AUDIENCE',
    on: typed,
  },
  'B-FLEXIBLE-WRONG': {
    clause: 'B Batch of custom audiences, segments',
    text: 'a wrong tree is rejected with the place of each mistake',
    on: typed,
  },
  'B-FLEXIBLE-LEAVES': {
    clause: 'B Batch of custom audiences, custom_audience_id',
    text: 'leaves are audiences that the account may use, not deleted and not flexible',
    on: 'every adapter',
  },
  'B-FLEXIBLE-LIMITS': {
    clause: 'B Batch of custom audiences; R audiences 7, rules',
    text: 'a tree has up to 10 audiences, a batch up to 10 operations',
    on: served,
  },
  'B-FLEXIBLE-BATCH': {
    clause: 'B Batch of custom audiences; A Shared conventions 7',
    text: 'a batch succeeds or fails as a whole, in order, with names unique within it too',
    on: 'every adapter',
  },
  'B-FLEXIBLE-IMMUTABLE': {
    clause: 'B States, flexible audience; R audiences 7, rules',
    text: 'a flexible audience cannot be changed, alone or in a batch',
    on: 'every adapter',
  },
  'B-FLEXIBLE-UPDATE-OTHERS': {
    clause: 'B Batch of custom audiences, operation_type',
    text: 'a batch changes name and description of audiences that are not flexible, and nothing else',
    on: 'every adapter',
  },
  'B-FLEXIBLE-DELETE': {
    clause: 'B Batch of custom audiences, operation_type',
    text: 'flexible audiences and others are deleted alone or in a batch',
    on: 'every adapter',
  },
  'B-FLEXIBLE-ANY-TREE': {
    clause: 'B Batch of custom audiences, segments',
    text: 'any valid tree is stored as it reads, and of any other one the mistake is named',
    on: served,
  },
  'B-TARGETED': {
    clause: 'B Targeted audiences; R audiences 6',
    text: 'campaigns are listed with their line items that target an audience or leave it out, the newest first',
    on: 'every adapter',
  },
  'B-TARGETED-ACTIVE': {
    clause: 'B Targeted audiences, with_active; R audiences 6',
    text: 'line items that are not served are listed with_active=false only, and deleted ones never',
    on: 'every adapter',
  },
  'B-TARGETED-PAGES': {
    clause: 'B Targeted audiences, cursor; R audiences 6, envelope',
    text: 'a page of campaigns is continued by its cursor, whatever is created meanwhile',
    on: 'every adapter',
  },
  'B-TARGETED-SHARED': {
    clause: 'B Targeted audiences; B States, custom audience DELETE',
    text: 'an account sees its own campaigns only, for its audiences and those shared with it, and none for others',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'custom_audiences.list': {
    route: 'GET /12/accounts/:account_id/custom_audiences',
    optional: `custom_audience_ids permission_scope q ${PAGE}`,
    sortable: 'created_at updated_at name',
    capability: 'audiences.read',
  },
  'custom_audiences.get': {
    route: 'GET /12/accounts/:account_id/custom_audiences/:custom_audience_id',
    optional: 'with_deleted',
    capability: 'audiences.read',
  },
  'custom_audiences.create': {
    route: 'POST /12/accounts/:account_id/custom_audiences',
    required: 'name',
    optional: 'description',
    capability: 'audiences.write',
  },
  'custom_audiences.batch': {
    route: 'POST /12/batch/accounts/:account_id/custom_audiences',
    required: 'operations',
    items: 10,
    itemParams: {
      Create: { required: 'name audience_type segments' },
      Update: { required: 'custom_audience_id', optional: 'name description audience_type segments' },
    },
    capability: 'audiences.write',
  },
  'custom_audiences.users': {
    route: 'POST /12/accounts/:account_id/custom_audiences/:custom_audience_id/users',
    required: 'operations',
    items: 2500,
    itemParams: {
      Update: { required: 'users', optional: 'effective_at expires_at' },
      Delete: { required: 'users', optional: 'effective_at expires_at' },
    },
    capability: 'audiences.write',
  },
  'custom_audiences.update': {
    route: 'PUT /12/accounts/:account_id/custom_audiences/:custom_audience_id',
    optional: 'name description',
    capability: 'audiences.write',
  },
  'custom_audiences.delete': {
    route: 'DELETE /12/accounts/:account_id/custom_audiences/:custom_audience_id',
    capability: 'audiences.write',
  },
  'custom_audiences.targeted': {
    route: 'GET /12/accounts/:account_id/custom_audiences/:custom_audience_id/targeted',
    optional: 'with_active cursor',
    capability: 'audiences.read',
  },
};
