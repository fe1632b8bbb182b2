/** Specification C, account history. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-HISTORY-RECORDS': {
    clause: 'C Account history; R campaign-management 4',
    text: 'each change of an entity is a record, the newest first, with who, what and the entity as it then was',
    on: 'every adapter',
  },
  'C-HISTORY-FEATURE': {
    clause: 'C Account history (allowlisting)',
    text: 'an account without the feature is refused',
    on: 'every adapter',
  },
  'C-HISTORY-HOURS': {
    clause: 'C Account history, start_time, end_time',
    text: 'times are whole hours, the first included and the last not',
    on: 'every adapter',
  },
  'C-HISTORY-USER': {
    clause: 'C Account history, user_id',
    text: 'user_id keeps the changes of one user',
    on: 'every adapter',
  },
  'C-HISTORY-PAGES': {
    clause: 'C Account history, count and cursor',
    text: 'pages give every record once',
    on: 'every adapter',
  },
  'C-HISTORY-ECHO': { clause: 'R conventions 2', text: 'the echo calls the kind of entity `entity`', on: wire },
  'C-HISTORY-REQUIRED': {
    clause: 'C Account history, parameters',
    text: 'kind, id, start and end are required, and the kind is one of five',
    on: 'every adapter',
  },
  'C-HISTORY-KINDS': {
    clause: 'C Account history, entity_type',
    text: 'promoted posts, targeting criteria and promoted accounts have a history as campaigns and line items do',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'account_history.list': {
    route: 'GET /12/accounts/:account_id/account_history',
    required: 'entity_type entity_id start_time end_time',
    optional: 'user_id count cursor',
    capability: 'campaigns.read',
  },
};
