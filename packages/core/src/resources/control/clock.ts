/** Operations on the clock of a world. */

import * as z from 'zod';
import { extended } from '../../wire/object.ts';
import { boolean, int, preciseTime } from '../../wire/types.ts';
import { Happening, WorldClock } from './clock/entity.ts';
import { clockAdvance, clockSet } from './clock/params.ts';
import { inWorld } from './on-world.ts';

const example = {
  now: '2026-01-15T08:00:00.000Z',
  rate: 1,
  frozen: false,
  limits: 'wall',
  follows_machine: false,
  advancing: false,
} as const;

const complete = () =>
  boolean().describe(
    'False where more work was due than one advance does. The clock then stands before the time that was asked for; ask again to go on.',
  );

const ClockChanged = extended(WorldClock, () => ({ complete: complete() }));

const ClockAdvanced = extended(WorldClock, () => ({
  from: preciseTime().describe('The world’s time before.'),
  happened: z
    .array(Happening)
    .describe(
      'What happened, in order: the first 1,000 of it. What is done inside, such as the removal of bytes, is left out.',
    ),
  total: int().describe('How much happened.'),
  complete: complete(),
}));

const get = inWorld('control.clock.get', 'GET', '/worlds/:world_id/clock', {
  summary: 'Get the clock of a world',
  envelope: 'entity',
  data: WorldClock,
  example: { data: example },
});

const set = inWorld('control.clock.set', 'PUT', '/worlds/:world_id/clock', {
  summary: 'Set the clock of a world forward, its rate, or stop it',
  description:
    'A clock never goes back. Everything that is due until the time that it is set to happens in order, each at its own time. ' +
    'Until it is first set or advanced, the clock of a world is that of the machine.',
  body: 'json',
  envelope: 'entity',
  params: () => clockSet.shape,
  data: ClockChanged,
  errors: ['INVALID_PARAMETER', 'MISSING_PARAMETER', 'WORLD_BUSY'],
  example: { params: { rate: 60 }, data: { ...example, rate: 60, complete: true } },
});

const advance = inWorld('control.clock.advance', 'POST', '/worlds/:world_id/clock/advance', {
  summary: 'Advance the clock of a world, by a duration, to a time, or to what happens next',
  description:
    'Everything due on the way happens in order, each at its own time: scheduled posts, processing and expiries of audiences, flights, ' +
    'polls, media. Calls that come in meanwhile are served at the time that the clock stands at. Another advance waits until this one has ended.',
  body: 'json',
  envelope: 'entity',
  params: () => clockAdvance.shape,
  exclusive: [
    ['by', 'to'],
    ['by', 'next'],
    ['to', 'next'],
  ],
  data: ClockAdvanced,
  errors: ['INVALID_PARAMETER', 'MISSING_PARAMETER', 'EXCLUSIVE_PARAMETERS', 'WORLD_BUSY'],
  example: {
    params: { by: 'P90D' },
    data: {
      ...example,
      now: '2026-04-15T08:00:00.000Z',
      from: example.now,
      happened: [
        {
          at: '2026-02-01T00:00:00.000Z',
          what: 'LINE_ITEM_STARTED',
          id: '8wku2',
          account_id: '18ce54d4x5t',
          environment: 'production',
        },
      ],
      total: 1,
      complete: true,
    },
  },
});

/** Operations on the clock of a world. */
export const clock = { get, set, advance };
