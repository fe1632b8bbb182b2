/** Other vocabularies of the interface, for clients that were written for another service. */
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'D-CHOICE': {
    clause: 'Dialects',
    text: 'a dialect is chosen by host, by prefix or by listener, several at once',
    on: wire,
  },
  'D-WAY-IN': {
    clause: 'Dialects',
    text: 'names and values are translated in path, query, form, JSON, batches and uploads, each as a whole, and free text is not',
    on: wire,
  },
  'D-TOLERANCE': {
    clause: 'Dialects',
    text: 'a dialect accepts what its clients send beside other words, and the interface itself does not',
    on: wire,
  },
  'D-ANSWERS': {
    clause: 'Dialects',
    text: 'answers and errors have the words of the dialect, and addresses on the host that was called',
    on: wire,
  },
  'D-HINTS': {
    clause: 'Dialects',
    text: 'a path that does not exist is answered with the nearest one, in the words of the dialect, or with the dialect that has it',
    on: wire,
  },
  'D-SIGNATURE': { clause: 'Dialects', text: 'a signature is verified over the request as it was received', on: wire },
  'D-DOCUMENTS': {
    clause: 'Dialects',
    text: 'the reference and the OpenAPI document have the words of the dialect',
    on: wire,
  },
  'D-COST': { clause: 'Dialects', text: 'reading one entity in a dialect costs little more than without', on: wire },
};
