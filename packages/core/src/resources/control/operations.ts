/**
 * The control of worlds, for the operator: create, fork, reset, snapshot and delete them. It is offered on a listener of its own, by
 * REST and tRPC, and in the command line.
 */
import { actions } from './actions.ts';
import { clock } from './clock.ts';
import { faults } from './faults/operations.ts';
import { journal } from './journal/operations.ts';
import { snapshots, worlds } from './worlds.ts';

export { errors } from './errors.ts';

// Named by module, so that declarations repeat none of them.
type ControlOperations = {
  readonly actions: typeof actions;
  readonly journal: typeof journal;
  readonly worlds: typeof worlds;
  readonly snapshots: typeof snapshots;
  readonly clock: typeof clock;
  readonly faults: typeof faults;
};

// In the order in which a reader of the documents needs them.
export const operations: ControlOperations = { worlds, snapshots, clock, faults, journal, actions };

export const position = 900;
