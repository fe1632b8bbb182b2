/** Requirements of the foundation on storage. */
import { type Requirements, store } from '../support/requirement.ts';

export const requirements: Requirements = {
  'S-DURABLE': { clause: '2 what must work', text: 'everything is still there after a restart', on: store },
  'S-CHANGE-LOG': { clause: 'DESIGN 4', text: 'every change is recorded in the transaction that makes it', on: store },
};
