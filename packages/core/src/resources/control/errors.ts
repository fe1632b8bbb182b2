import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  CALL_NOT_FOUND: { status: 404, message: 'The journal of the world has no call with this id' },
  FAULT_NOT_FOUND: { status: 404, message: 'The world has no rule of faults with this id' },
  JOURNAL_CLOSED: { status: 409, message: 'This server keeps no journal; start it with BROADSIDE_JOURNAL=on' },
  WRONG_STATE: { status: 409, message: 'The state of this does not allow the action' },
  WORLD_NOT_FOUND: { status: 404, message: 'This server has no world with this id' },
  SNAPSHOT_NOT_FOUND: { status: 404, message: 'The world has no snapshot with this id' },
  WORLD_ELSEWHERE: { status: 400, message: 'The stores of this world are on other servers, so it cannot be copied' },
  WORLD_ORIGIN_UNKNOWN: {
    status: 409,
    message:
      'How the default world began was not kept: an earlier version started it first, or a server without its control. Take a snapshot of a state to go back to, and reset to that',
  },
  WORLD_BUSY: { status: 409, message: 'The world is being changed as a whole; try again in a moment' },
  WORLD_PERMANENT: { status: 400, message: 'The default world cannot be deleted; reset it, or fork it and work there' },
} as const satisfies ErrorEntries;
