/** The control of worlds. */
import type { ControlContract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { actions } from './actions/handlers.ts';
import { clock } from './clock.ts';
import { faults } from './faults.ts';
import { journal } from './journal/handlers.ts';
import { snapshots, worlds } from './worlds.ts';

export const handlers: HandlersOf<ControlContract['control']> = { journal, worlds, snapshots, clock, faults, actions };
