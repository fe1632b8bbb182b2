import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { id, members, oneOf, text, time } from '../../wire/types.ts';

/** The kinds of entity whose changes can be looked up (specification C, Account history). */
export const historyEntities = [
  'CAMPAIGN',
  'LINE_ITEM',
  'PROMOTED_POST',
  'TARGETING_CRITERIA',
  'PROMOTED_ACCOUNT',
  // Beyond the list of the specification, which knows no history of audiences (our choice).
  'CUSTOM_AUDIENCE',
] as const;
export type HistoryEntity = (typeof historyEntities)[number];

/** Kinds of change. The specification shows CREATE; the others are the other changes that can occur (reference 4). */
export const changeTypes = ['CREATE', 'UPDATE', 'DELETE'] as const;

/** A change of an entity (specification C, Account history record). */
export const AccountHistoryRecord = object(() => ({
  change_by: z
    .object({
      user_id: text({ max: 19 })
        .nullable()
        .describe('The user who made the change; null when the operator or the platform did.'),
      platform: text().describe('What the change was made with, such as API_OTHER.'),
    })
    .describe('Who made the change.'),
  change_time: time().describe('When.'),
  change_type: oneOf(changeTypes).describe('What happened.'),
  changes: members().describe('The fields that changed, each with `before` and `after`; empty for a creation.'),
  entity: oneOf(historyEntities).describe('The kind of entity.'),
  entity_id: id().describe('The entity.'),
  entity_data: members().describe('The stored fields of the entity after the change.'),
}));
export type AccountHistoryRecord = z.output<typeof AccountHistoryRecord>;
