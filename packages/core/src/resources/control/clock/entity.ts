/** The clock of a world, and what happens in a world as its time passes. */

import type * as z from 'zod';
import { object } from '../../../wire/object.ts';
import { boolean, decimal, id, oneOf, preciseTime } from '../../../wire/types.ts';

/** What happens in a world as its time passes. */
export const happeningNames = [
  'SCHEDULED_POST_PUBLISHED',
  'SCHEDULED_POST_FAILED',
  'AUDIENCE_PROCESSED',
  'AUDIENCE_RECOUNTED',
  'LINE_ITEM_STARTED',
  'LINE_ITEM_ENDED',
  'FUNDING_INSTRUMENT_STARTED',
  'FUNDING_INSTRUMENT_ENDED',
  'POLL_ENDED',
  'MEDIA_PROCESSED',
  'MEDIA_FAILED',
  'MEDIA_EXPIRED',
  'NOTIFICATION_EXPIRED',
  'REQUEST_TOKEN_EXPIRED',
  'JOB_FAILED',
] as const;
export type HappeningName = (typeof happeningNames)[number];

/** The time that windows of rate limits pass by. */
export const limitsClocks = ['wall', 'world'] as const;
export type LimitsClock = (typeof limitsClocks)[number];

/** The slowest and the fastest rate of a clock: a thousandth of real time, and a day in each second. */
export const RATES = { min: 0.001, max: 86_400 } as const;

/** No clock goes beyond this: ids of that time would not fit (our choice of a round year before). */
export const CLOCKS_END_MS: number = Date.UTC(2100, 0, 1);
/** The same, as it is shown. */
export const CLOCKS_END: string = new Date(CLOCKS_END_MS).toISOString();

/** The clock of a world. */
export const WorldClock = object(() => ({
  now: preciseTime().describe('The world’s time.'),
  rate: decimal(RATES).describe(
    `How many seconds of the world pass in a second, while the clock is not frozen. At ${CLOCKS_END}, where clocks of worlds end, it stops.`,
  ),
  frozen: boolean().describe('Whether time stands still until the clock is set or advanced.'),
  limits: oneOf(limitsClocks).describe(
    'The time by which windows of rate limits pass: `wall`, that of the machine, or `world`. Timestamps of OAuth and cookies are always on the former.',
  ),
  follows_machine: boolean().describe(
    'Whether the clock was never set or advanced. It is then the clock of the machine.',
  ),
  advancing: boolean().describe(
    'Whether an advance is under way: the clock stands at the time of what is just happening.',
  ),
}));
export type WorldClock = z.output<typeof WorldClock>;

/** Something that happened at a time of the world. */
export const Happening = object(() => ({
  at: preciseTime().describe('When it happened, by the world’s clock.'),
  what: oneOf(happeningNames).describe('What happened.'),
  id: id().describe(
    'The id of what it happened to: of the scheduled post, audience, line item, funding instrument or notification; of the poll’s card; of the media. For a failed job its kind and subject, for a request token the beginning of its hash.',
  ),
  account_id: id().optional().describe('The account that it belongs to.'),
  environment: oneOf(['production', 'sandbox']).optional().describe('The environment of the account.'),
}));
export type Happening = z.output<typeof Happening>;
