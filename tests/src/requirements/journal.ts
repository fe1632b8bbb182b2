/** Requirements on the journal of a world, on the control interface. No specification describes it. */
import { type Requirements, served, wire } from '../support/requirement.ts';

const clause = 'worlds, journal';

export const requirements: Requirements = {
  'J-KEPT': {
    clause,
    text: 'the journal of each world goes on after an orderly end of the server, with its calls, their order and its positions',
    on: served,
  },
  'J-KEPT-THREADS': {
    clause,
    text: 'calls that other threads have answered are kept over an orderly end of the server',
    on: served,
  },
  'J-KEPT-SEALED': {
    clause,
    text: 'the file of a kept journal shows nothing, is not there while its world is open, and is removed where no journal is kept',
    on: served,
  },
  'J-BEGINS': {
    clause,
    text: 'the journal of a fork, of a world made of a snapshot and of a world that was reset or restored begins empty',
    on: served,
  },
  'J-FOLLOW-ENDS': {
    clause,
    text: 'those who wait for calls are let go when the world is reset, and go on from their position without missing one',
    on: served,
  },
  'J-FOLLOW-STOP': { clause, text: 'those who wait for calls do not hold up the end of the server', on: served },
  'J-OWN-CALLS': {
    clause,
    text: 'a call is in the journal of the world that its credentials or its address name, also when it is rejected',
    on: wire,
  },
  'J-OWN-PATHS': {
    clause,
    text: 'a request for an unknown path is in the journal of the world that its address or its credentials name',
    on: wire,
  },
  'J-NO-WORLD': {
    clause,
    text: 'what names no world that there is belongs to the default one, and what is no request of HTTP to none',
    on: wire,
  },
  'J-BOUND-CALLS': { clause, text: 'the newest calls push out the oldest, which are counted', on: served },
  'J-BOUND-BYTES': {
    clause,
    text: 'one large call is kept in part, and pushes out no more than its share',
    on: served,
  },
  'J-PRODUCTION': {
    clause,
    text: 'in production mode there is no journal unless a setting turns it on',
    on: served,
  },
  'J-SECRETS': {
    clause,
    text: 'no secret is in the journal: of headers, bodies, queries, addresses that browsers are sent to, base strings, seed files, and what is known of people',
    on: wire,
  },
  'J-HAR': {
    clause,
    text: 'the archive of calls of any kind, whatever address they came to, is one of HAR 1.2',
    on: wire,
  },
  'J-HAR-BATCH': {
    clause,
    text: 'a request with several calls is in the archive once, whichever of its calls are chosen',
    on: wire,
  },
  'J-CODE-CURL': {
    clause,
    text: 'the signed command of curl repeats a call, whatever it has sent, and wherever it was signed',
    on: wire,
  },
  'J-CODE-CLIENT': {
    clause,
    text: 'the code for the client makes the call again, whatever it has sent',
    on: wire,
  },
  'J-VERIFY-RULES': {
    clause,
    text: 'the rules on rejected writes and on retries after a lost answer hold or fail by what was called',
    on: served,
  },
  'J-VERIFY-PEOPLE': {
    clause,
    text: 'a batch of people is the same as another one by those who are in it, although the journal does not have them',
    on: served,
  },
  'J-VERIFY-CALLS': {
    clause,
    text: 'calls are expected by operation, parameters, caller, count and order, and one that fails shows what comes nearest',
    on: served,
  },
  'J-VERIFY-FORGOTTEN': {
    clause,
    text: 'an expectation that a call which was pushed out could decide does not hold, and says so; what the kept calls decide is decided',
    on: served,
  },
  'J-VERIFY-LEFT-OUT': {
    clause,
    text: 'an expectation that depends on what a kept call has sent and the journal has not kept does not hold, and names the call',
    on: served,
  },
  'J-VERIFY-SINCE': {
    clause,
    text: 'calls that were pushed out do not count where only later ones are verified, also after the world was closed',
    on: served,
  },
};
