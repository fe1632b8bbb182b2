/** Requirements on fault injection, on the control interface. No specification describes it. */
import { type Requirements, served, wire } from '../support/requirement.ts';

const clause = 'worlds, faults';

export const requirements: Requirements = {
  'F-MATCH': {
    clause,
    text: 'a rule concerns the calls that all of its conditions name: operation, path, kind, account, user, app',
    on: served,
  },
  'F-COUNT': {
    clause,
    text: 'the n-th, the first and the calls after them are concerned as often as the rule says, and are counted',
    on: served,
  },
  'F-STATUS': {
    clause,
    text: 'a failure of the server or of a proxy replaces the work, with the time to wait',
    on: wire,
  },
  'F-ERROR': {
    clause,
    text: 'an error of the catalogue has the status and the form of the real one, and replaces the work',
    on: wire,
  },
  'F-ERROR-FOREIGN': {
    clause,
    text: 'an error that an operation cannot answer is rejected with the list of those that it can',
    on: served,
  },
  'F-LIMIT': { clause, text: 'a rate limit is used up until a time, which the answer names', on: wire },
  'F-LATENCY': { clause, text: 'a latency holds reads in any thread', on: wire },
  'F-BODY': { clause, text: 'a body is cut or is no JSON, and the work is done', on: wire },
  'F-DROP-BEFORE': {
    clause,
    text: 'a connection that is dropped before the work is reset, and nothing was done',
    on: wire,
  },
  'F-DROP-AFTER': { clause, text: 'an answer that is lost after the commit leaves the work done', on: wire },
  'F-DROP-MIDDLE': {
    clause,
    text: 'an answer that ends in the middle of its body is seen to be incomplete',
    on: wire,
  },
  'F-DROP-TRPC': { clause, text: 'calls of tRPC are dropped too', on: wire },
  'F-RETRY': { clause, text: 'a client that repeats what may be repeated gets over a rule that ends', on: served },
  'F-THREADS': { clause, text: 'rules begin and end at once in every thread', on: wire },
  'F-MEDIA-FAIL': { clause, text: 'media fail as those do that cannot be processed', on: served },
  'F-MEDIA-LATE': { clause, text: 'media are processed later, or fail later', on: served },
  'F-MEDIA-HOLD': { clause, text: 'media that are held are processed when the platform is told to', on: served },
  'F-MEDIA-OTHERS': { clause, text: 'media of another user are not concerned', on: served },
  'F-SCHEDULED': { clause, text: 'a scheduled post fails at its time, and is not published', on: served },
  'F-AUDIENCE': { clause, text: 'members of an audience are counted later', on: served },
  'F-AUDIENCE-SETTLED': {
    clause,
    text: 'an audience that the platform has counted is not counted again by the job that was delayed',
    on: served,
  },
  'F-LIFE': { clause, text: 'the life of a rule is a time of the world, and stands with its clock', on: served },
  'F-WORLD': {
    clause,
    text: 'a rule concerns one world; a fork has the rules of its source and counts on its own',
    on: served,
  },
  'F-RESTART': { clause, text: 'a restart keeps rules with their counts', on: served },
  'F-EXACT': { clause, text: 'a world has what the calls did that rules let happen, and nothing else', on: served },
};
