/** The clock of a world, on the control interface. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, served } from '../support/requirement.ts';

export const requirements: Requirements = {
  'W-CLOCK-MACHINE': {
    clause: 'Worlds, clock',
    text: 'until it is set, the clock of a world is that of the machine',
    on: served,
  },
  'W-CLOCK-ORDER': {
    clause: 'Worlds, clock',
    text: 'what is due on the way happens in order, each at its own time, and the answer says so',
    on: served,
  },
  'W-CLOCK-NEXT': {
    clause: 'Worlds, clock',
    text: 'a clock jumps to the next thing that happens, and says what it is',
    on: served,
  },
  'W-CLOCK-FORWARD': {
    clause: 'Worlds, clock',
    text: 'a clock never goes back, and a wrong time, duration or rate is rejected with what is right',
    on: served,
  },
  'W-CLOCK-OWN': {
    clause: 'Worlds, clock',
    text: 'the clock of one world is not that of another, and survives a restart',
    on: served,
  },
  'W-CLOCK-RESTORED': {
    clause: 'Worlds, restore',
    text: 'a world that is restored has the clock of the snapshot, and goes on from there',
    on: served,
  },
  'W-CLOCK-SMALL-STEPS': {
    clause: 'Worlds, proof',
    text: 'any interleaving of clock and calls is the same as living it in small steps',
    on: served,
  },
  'W-CLOCK-TURN': {
    clause: 'Worlds, clock',
    text: 'an advance does not hold up other requests',
    on: served,
  },
};

export const operations: OperationRows = {};
