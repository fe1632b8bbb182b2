/** Parameters and the answer that actions of the platform share. */

import * as z from 'zod';
import { extended, object } from '../../wire/object.ts';
import { id, int, list, members, numericId, oneOf, text } from '../../wire/types.ts';
import { environment } from '../operator/environment.ts';

/** The kinds of what an action changes, as its answer names them. */
export const changedKinds = [
  'ACCESS_TOKEN',
  'ACCOUNT',
  'APP',
  'BEARER_TOKEN',
  'CAMPAIGN',
  'CUSTOM_AUDIENCE',
  'DO_NOT_REACH_LIST',
  'FUNDING_INSTRUMENT',
  'LINE_ITEM',
  'MEDIA',
  'MEDIA_CREATIVE',
  'POLL',
  'POST',
  'PROMOTED_ACCOUNT',
  'PROMOTED_POST',
  'SCHEDULED_POST',
  'SESSION',
  'USER',
] as const;
export type ChangedKind = (typeof changedKinds)[number];

const Changed = object(() => ({
  entity: oneOf(changedKinds).describe('The kind of what changed.'),
  id: text().describe('Its id; of a token the hash of it, of sessions the id of their user.'),
  after: members().describe('What it is afterwards, with all that the interface shows of it.'),
}));

/** The answer of an action. */
export const ActionOutcome = object(() => ({
  changed: z.array(Changed).describe('What the action was about, as it is afterwards.'),
}));

/** The answer of an action in which people take part. */
export const CrowdOutcome = extended(ActionOutcome, () => ({
  user_ids: z.array(numericId()).describe('The people who did it, in their order.'),
  generated: int({ min: 0 }).describe('How many of them were made for it.'),
}));

/** An account, and the environment that it is in. */
export const where = { environment, account_id: id().describe('The advertising account.') };

export const exampleWhere = { account_id: '18ce54d4x5t' } as const;

/** The most people whom one action can have do something: our choice. */
export const MAX_CROWD = 1000;

/** The people who do something. */
export const crowd = () => ({
  count: int({ min: 1, max: MAX_CROWD })
    .optional()
    .describe(
      `How many people do it: up to ${MAX_CROWD}, 1 when left out. Those of the world who have not done it yet come first; further ones are generated.`,
    ),
  user_ids: list(numericId(), { max: MAX_CROWD })
    .optional()
    .describe('The people who do it, in place of a number of any.'),
});
