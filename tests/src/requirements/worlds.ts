/** Requirements on worlds: several platforms on one server. */
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'W-ISOLATION-EFFECTS': {
    clause: 'worlds, isolation',
    text: 'no operation of a fork changes a row of its source, though both have the same ids',
    on: wire,
  },
  'W-ISOLATION-CREDENTIALS': {
    clause: 'worlds, isolation',
    text: 'no operation accepts the credentials of one world mixed with those of another',
    on: wire,
  },
  'W-ISOLATION-NONCES': {
    clause: 'worlds, isolation',
    text: 'a nonce that is used in one world is unused in another',
    on: wire,
  },
  'W-ISOLATION-LIMITS': {
    clause: 'worlds, isolation',
    text: 'calls in one world use up no limit of another',
    on: wire,
  },
  'W-ISOLATION-TOKENS': {
    clause: 'worlds, isolation',
    text: 'a bearer token belongs to one world, and a token made of two opens neither',
    on: wire,
  },
};
