/** The proof of the operator's token, before which no client sends it. No specification describes it. */
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'O-PROOF': {
    clause: '15 The first hour',
    text: 'a server proves that it has the operator token, to clients that prove it too',
    on: wire,
  },
  'O-PROOF-STRANGERS': {
    clause: '15 The first hour; DESIGN 6',
    text: 'whoever does not have the operator token gets nothing that depends on it',
    on: wire,
  },
  'O-PROOF-ADDRESS': {
    clause: '15 The first hour; DESIGN 6',
    text: 'a proof is for the address that the client called, so that no other port can pass it on',
    on: wire,
  },
};
