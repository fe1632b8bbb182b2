/** Requirements on worlds: several platforms on one server, and the interface that controls them. No specification describes them. */
import { type Requirements, served, store, wire } from '../support/requirement.ts';

const isolation = 'worlds, isolation';
const life = 'worlds, beginnings and ends';
const copies = 'worlds, copies';
const control = 'worlds, control';

export const requirements: Requirements = {
  'W-ISOLATION-EFFECTS': {
    clause: isolation,
    text: 'no operation of a fork changes a row of its source, though both have the same ids',
    on: wire,
  },
  'W-ISOLATION-CREDENTIALS': {
    clause: isolation,
    text: 'no operation accepts the credentials of one world mixed with those of another',
    on: wire,
  },
  'W-ISOLATION-NONCES': {
    clause: isolation,
    text: 'a nonce that is used in one world is unused in another',
    on: wire,
  },
  'W-ISOLATION-LIMITS': {
    clause: isolation,
    text: 'calls in one world use up no limit of another',
    on: wire,
  },
  'W-ISOLATION-TOKENS': {
    clause: isolation,
    text: 'a bearer token belongs to one world, and a token made of two opens neither',
    on: wire,
  },
  'W-CREATE': {
    clause: life,
    text: 'a world begins with the demo, with nothing, with what a seed file says, with what is generated, as another world or as a snapshot, and says so',
    on: served,
  },
  'W-CREATE-CREDENTIALS': {
    clause: life,
    text: 'a new world answers with the members of credentials.json, which are its own and are enough to reach it',
    on: served,
  },
  'W-SEED': {
    clause: life,
    text: 'worlds with one seed give the same ids, codes and times for the same calls, also after a fork and a restore, and share no secret',
    on: served,
  },
  'W-RESET': {
    clause: life,
    text: 'a reset takes a world back to how it began or to a snapshot, and keeps its keys',
    on: served,
  },
  'W-DELETE': {
    clause: life,
    text: 'a world that is deleted is gone with its snapshots, files and keys, and the default world cannot be',
    on: served,
  },
  'W-TTL': {
    clause: life,
    text: 'a world with a time to live is deleted by itself when it is over, and no other one is',
    on: served,
  },
  'W-OPEN': {
    clause: life,
    text: 'a world is opened when it is first asked for, also after a restart',
    on: served,
  },
  'W-IDLE': {
    clause: life,
    text: 'a world that nobody has used for ten minutes is closed, one that is in use is not, and the next request opens it again',
    on: store,
  },
  'W-FORK-EXACT': {
    clause: copies,
    text: 'a fork is exact in ids, content, jobs, clock and change log; source and fork diverge, and neither sees the other',
    on: store,
  },
  'W-FORK-KEYS': {
    clause: copies,
    text: 'the keys, tokens and sessions of a fork are new, and those of its source do not open it',
    on: served,
  },
  'W-SNAPSHOT': {
    clause: copies,
    text: 'a snapshot stays as it is while its world goes on, is listed, and can be deleted',
    on: served,
  },
  'W-RESTORE-IDENTITY': {
    clause: copies,
    text: 'a world that is restored has all that it had, and the same calls make the same world again',
    on: store,
  },
  'W-RESTORE-KEYS': {
    clause: copies,
    text: 'a restore keeps the keys and tokens with which the world is called, and its clients go on',
    on: served,
  },
  'W-EXPORT': {
    clause: copies,
    text: 'a world is exported as one file, of which another server makes a world with the same content and keys of its own',
    on: wire,
  },
  'W-EXPORT-EXACT': {
    clause: copies,
    text: 'an imported world has every row of the exported one but for its keys',
    on: store,
  },
  'W-IMPORT-WRONG': {
    clause: copies,
    text: 'a file that is cut off, changed or none is rejected, and leaves nothing behind',
    on: wire,
  },
  'W-CRASH': {
    clause: copies,
    text: 'after a crash in the midst of a fork, a snapshot, a restore or a deletion each world is as before or as after',
    on: store,
  },
  'W-CONTROL-TOKEN': {
    clause: control,
    text: 'the control listener takes the token of the operator only, for each of its operations, and no credentials of a world',
    on: wire,
  },
  'W-CONTROL-LOOPBACK': {
    clause: control,
    text: 'the control listener is on the loopback interface, also where the other ones listen on all',
    on: wire,
  },
  'W-CONTROL-ORIGINS': {
    clause: control,
    text: 'no page of another origin reaches the control listener, with whatever token, and none is told that it may',
    on: wire,
  },
  'W-CONTROL-PRODUCTION': {
    clause: control,
    text: 'in production mode there is no control listener unless a setting turns it on',
    on: wire,
  },
};
