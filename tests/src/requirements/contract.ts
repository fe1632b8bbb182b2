/** Requirements on the operations of every family. */
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-HIERARCHY-MODEL': {
    clause: '5 model-based tests',
    text: 'after any sequence of changes, batches, waits and restarts the account reads as a plain model of it',
    on: 'every adapter',
  },
  'C-ENDPOINTS': {
    clause: 'C Endpoints; R campaign-management 8 and 9',
    text: 'each operation is at its path and takes the parameters of its row, no other, and requires those of the row',
    on: 'every adapter',
  },
  'C-ENDPOINTS-BATCH': {
    clause: 'C Campaigns, POST batch; R campaign-management 9.4, batch',
    text: 'the items of a batch take what the operations for one take',
    on: 'every adapter',
  },
  'C-SORTABLE': {
    clause: 'A conventions 4, sort_by; R conventions 4',
    text: 'each list sorts by the attributes of its row and by no other',
    on: 'every adapter',
  },
  'C-PERMISSIONS-EVERY': {
    clause: 'A Authentication 6; 5 What must work, permissions',
    text: 'each operation below an account asks for what its row says',
    on: 'every adapter',
  },
  'C-TENANCY-IDS': {
    clause: '5 tenancy',
    text: 'an id of another account is answered as an id that nobody has',
    on: wire,
  },
  'C-TENANCY-TOKENS': {
    clause: '5 tenancy',
    text: 'neither a revoked token nor the token of a stranger opens anything, and nothing is written',
    on: wire,
  },
};
