/** The clock of a world. */
import type { ControlContract, OutcomeOf } from '@broadside/core';
import { ClockRejectedError, type ClockState } from '../../clock/clock-state.ts';
import { ClockClosedError } from '../../clock/passage.ts';
import type { HandlersOf } from '../../pipeline/context.ts';

type Operations = ControlContract['control']['clock'];

/** Operations on the clock of a world. */
export const clock: HandlersOf<Operations> = {
  get: ({ world }) => shown(world.time.state),

  async set({ world, reject }, { world_id: _, ...changes }) {
    try {
      const { state, complete } = await world.time.set(changes);
      return { ...shown(state), complete };
    } catch (error) {
      if (error instanceof ClockRejectedError) reject.check(error.issues);
      if (error instanceof ClockClosedError) throw reject.error({ error: 'WORLD_BUSY', message: error.message });
      throw error;
    }
  },

  async advance({ world, reject }, { world_id: _, ...request }) {
    try {
      const { state, from_ms, happenings, complete } = await world.time.advance(request);
      const { told, total } = happenings;
      return { ...shown(state), from: new Date(from_ms).toISOString(), happened: told, total, complete };
    } catch (error) {
      if (error instanceof ClockRejectedError) reject.check(error.issues);
      if (error instanceof ClockClosedError) throw reject.error({ error: 'WORLD_BUSY', message: error.message });
      throw error;
    }
  },
};

function shown({ now_ms, ...state }: ClockState): OutcomeOf<Operations['get']> {
  return { now: new Date(now_ms).toISOString(), ...state };
}
