/** Specification C, lookups as a whole. */
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-LOOKUP-ENVELOPES': {
    clause: 'R conventions 1, irregular envelopes',
    text: 'each lookup has the members beside data that belong to it, and no others',
    on: wire,
  },
  'C-LOOKUP-RATE': {
    clause: 'R conventions 9, reads without account_id',
    text: 'each lookup without an account answers 5 times in 15 minutes',
    on: wire,
  },
  'C-CATALOGUE-APART': {
    clause: 'A conventions 8',
    text: 'publishers and curated categories of one environment are not those of the other',
    on: wire,
  },
};
