import { account_id, cursor } from '../../operation/list.ts';
import { defineAccountRead } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { hour, id, int, numericId, oneOf } from '../../wire/types.ts';
import { AccountHistoryRecord, historyEntities } from './entity.ts';

export const operations = {
  list: defineAccountRead('account_history.list', '/12/accounts/:account_id/account_history', {
    summary: 'List the changes of one entity, the newest first',
    description: 'In beta: the account needs the feature ACCOUNT_HISTORY, which the operator grants.',
    capability: 'campaigns.read',
    envelope: 'list',
    params: object(() => ({
      account_id,
      entity_type: oneOf(historyEntities).describe('The kind of entity.'),
      entity_id: id().describe('The entity.'),
      start_time: hour().describe('From this whole hour on.'),
      end_time: hour().describe('Until before this whole hour.'),
      user_id: numericId().optional().describe('Only changes that this user made.'),
      count: int({ min: 1, max: 1000 }).default(200).describe('Records on one page.'),
      cursor,
    })),
    // Reference, conventions section 2: the echoed parameters name the kind of entity as the records do.
    echo: ({ entity_type, ...rest }) => ({ ...rest, ...(entity_type === undefined ? {} : { entity: entity_type }) }),
    data: AccountHistoryRecord,
    errors: ['FEATURE_NOT_AVAILABLE', 'INVALID_TIME_WINDOW'],
    example: {
      params: {
        entity_type: 'CAMPAIGN',
        entity_id: '8wku2',
        start_time: '2026-01-15T00:00:00Z',
        end_time: '2026-01-16T00:00:00Z',
      },
      data: {
        change_by: { user_id: '1503831318555086849', platform: 'API_OTHER' },
        change_time: '2026-01-15T09:30:00Z',
        change_type: 'UPDATE',
        changes: { name: { before: 'Summer reading', after: 'Autumn reading' } },
        entity: 'CAMPAIGN',
        entity_id: '8wku2',
        entity_data: { id: '8wku2', name: 'Autumn reading', entity_status: 'PAUSED', deleted: false },
      },
    },
  }),
};

export const position = 120;
