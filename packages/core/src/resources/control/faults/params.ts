/** Rules of faults as they are given: which calls they match, and what they do to them. */

import * as z from 'zod';
import { object, strictObject } from '../../../wire/object.ts';
import { boolean, decimal, id, int, list, numericId, oneOf, oneOfInt, text, time } from '../../../wire/types.ts';
import { latency } from './latency.ts';

/** Ways in which a connection can be dropped. */
const drops = ['before_work', 'after_commit', 'mid_body'] as const;
/** Ways in which a whole answer can be unreadable. */
const bodyDamages = ['cut', 'not_json'] as const;
/** Statuses of failing servers that can be injected. */
const failures = [500, 502, 503] as const;

/** Patterns of one rule. */
const MAX_PATTERNS = 50;
const MAX_COUNT = 1_000_000_000;
/** The longest `retry_after`, rate limit and delay, in seconds: a day, our choice. */
const DAY_S = 86_400;
/** The longest life of a rule, in seconds: a year. */
const MAX_RULE_SECONDS = 365 * DAY_S;

const count = () => int({ min: 1, max: MAX_COUNT });

/** The calls that a rule concerns. All that is given has to hold. */
export const FaultMatch = strictObject(() => ({
  operation: list(text({ max: 100 }), { max: MAX_PATTERNS })
    .optional()
    .describe('Ids of operations, or patterns such as `campaigns.*`: one or several.'),
  path: text({ max: 500 })
    .optional()
    .describe(
      'The path of the operation, as `/12/accounts/18ce54d4x5t/campaigns`. `:name` stands for any one segment, and `*` at the end for all that follows.',
    ),
  environment: oneOf(['production', 'sandbox']).optional().describe('Only calls of the advertising interface there.'),
  account: id().optional().describe('Only calls to this account.'),
  app: numericId().optional().describe('Only calls by this app.'),
  user: numericId().optional().describe('Only calls on behalf of this user.'),
  kind: oneOf(['read', 'write']).optional().describe('Only calls that read, or that write.'),
  every: count().optional().describe('Only every n-th of these calls.'),
  first: count().optional().describe('Only the first n of these calls.'),
  after: count().optional().describe('Only these calls after the first n.'),
  probability: decimal({ min: 0, max: 1 })
    .optional()
    .describe(
      'Only this part of these calls, by chance. Chance follows from the world and the rule, so it can be repeated.',
    ),
}));
export type FaultMatch = z.output<typeof FaultMatch>;

/** The effect of a rule. Effects may combine, such as a latency with an error. */
export const FaultEffect = strictObject(() => ({
  error: text({ max: 100 })
    .optional()
    .describe(
      'An error of the catalogue that the operation can answer, such as `CAMPAIGN_NOT_FOUND`. Nothing is done then.',
    ),
  status: oneOfInt(failures)
    .optional()
    .describe(
      'The server fails with 500 or 503 before it does anything, or a proxy in front of it answers 502 with a page.',
    ),
  retry_after: int({ min: 0, max: DAY_S })
    .optional()
    .describe('Seconds of the header `retry-after`, beside a failure.'),
  rate_limit: z
    .strictObject({
      until: time().optional().describe('When the window ends, by the clock of rate limits.'),
      seconds: int({ min: 1, max: DAY_S }).optional().describe('Or so long after the rule fires for the first time.'),
    })
    .optional()
    .describe('The rate limit of the caller is used up until a time.'),
  latency: latency()
    .optional()
    .describe(
      'The call waits so many milliseconds, of the machine: a number, `{"min_ms", "max_ms"}`, or percentiles such as `{"p50_ms": 100, "p99_ms": 2000}`.',
    ),
  drop: oneOf(drops)
    .optional()
    .describe(
      'The connection is reset before the work, or after the work was done and is durable, or it ends in the middle of the body.',
    ),
  body: oneOf(bodyDamages)
    .optional()
    .describe('The answer is whole, but half of its body is missing, or it is no JSON.'),
  media_processing: z
    .strictObject({
      fail: boolean().optional().describe('The media cannot be processed.'),
      delay_seconds: int({ min: 1, max: DAY_S })
        .optional()
        .describe('Processing begins later, by the clock of the world.'),
      hold: boolean().optional().describe('Processing does not end by itself, but by the action `process_media` only.'),
    })
    .optional()
    .describe('What befalls uploaded videos and animations after the answer.'),
  scheduled_post: z
    .strictObject({ fail: boolean().describe('The post cannot be published.') })
    .optional()
    .describe('What befalls scheduled posts at their time.'),
  audience_processing: z
    .strictObject({
      delay_seconds: int({ min: 1, max: 30 * DAY_S }).describe('Members are counted later, by the clock of the world.'),
    })
    .optional()
    .describe('What befalls the members of audiences after they were sent.'),
}));
export type FaultEffect = z.output<typeof FaultEffect>;

/** A rule as it is given. */
export const faultParams = () => ({
  match: FaultMatch.optional().describe('The calls that it concerns; all calls of the world when left out.'),
  effect: FaultEffect.describe('What happens to them.'),
  times: count().optional().describe('It fires so often, and then not any more.'),
  until: time().optional().describe('It fires until this time of the world.'),
  ttl_seconds: int({ min: 1, max: MAX_RULE_SECONDS })
    .optional()
    .describe('It fires for so many seconds of the world, instead of `until`.'),
});

const faultRule = object(faultParams);
export type FaultRule = z.output<typeof faultRule>;
