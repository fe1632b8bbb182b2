/** The operator's reading of the change logs: who changed what, and when. */

import type * as z from 'zod';
import { defineOperatorOperation } from '../../operation/define.ts';
import { cursor, pageSize } from '../../operation/list.ts';
import type { Issue } from '../../wire/issues.ts';
import { object } from '../../wire/object.ts';
import { id, list, members, numericId, oneOf, text, time } from '../../wire/types.ts';
import { changeTypes } from '../account-history/entity.ts';

/** The change logs: of people, apps, tokens and posts, and of the advertising data of each environment. */
export const auditLogs = ['platform', 'production', 'sandbox'] as const;
export type AuditLogName = (typeof auditLogs)[number];

/** What changes are made with. */
const changePlatforms = ['API_OTHER', 'OPERATOR', 'SERVER', 'WEB'] as const;

/** A change, as it was recorded in the transaction that made it. */
export const AuditEntry = object(() => ({
  id: text().describe('The change: the log, the shard where the account is on one, and its number there.'),
  log: oneOf(auditLogs).describe('The log that has it.'),
  change_time: time().describe('When, by the clock of the world.'),
  change_by_user_id: numericId().nullable().describe('The user who made it; null when the operator or the server did.'),
  change_by_platform: oneOf(changePlatforms).describe('What it was made with.'),
  change_type: oneOf(changeTypes).describe('What happened.'),
  entity: text().describe('The kind of what changed.'),
  entity_id: text().describe('Its id.'),
  account_id: id().nullable().describe('The advertising account; null for what belongs to none.'),
  changes: members().describe('The fields that changed, each with `before` and `after`; empty for a creation.'),
  entity_data: members().describe('What it was after the change.'),
}));
export type AuditEntry = z.output<typeof AuditEntry>;

/** Checks what belongs together in a request for changes. */
export function checkAudit({
  entity,
  entity_id,
  start_time,
  end_time,
}: {
  readonly entity?: string | undefined;
  readonly entity_id?: string | undefined;
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
}): Issue<'INCLUSIVE_PARAMETERS' | 'INVALID_TIME_WINDOW'>[] {
  if (entity_id !== undefined && entity === undefined) {
    const message = '"entity_id" needs "entity": the id of what, such as CAMPAIGN?';
    return [{ error: 'INCLUSIVE_PARAMETERS', parameter: 'entity_id', value: entity_id, message }];
  }
  if (start_time === undefined || end_time === undefined || end_time > start_time) return [];
  const message = `Expected a time after start_time (${start_time}), got "${end_time}" for end_time`;
  return [{ error: 'INVALID_TIME_WINDOW', parameter: 'end_time', value: end_time, message }];
}

/** Reads the change logs. */
export const adminAudit = defineOperatorOperation({
  id: 'admin.audit',
  summary: 'Read who changed what, the newest first',
  description:
    'The change logs of the platform, of production and of the sandbox, as one list. Each change was recorded in the transaction that made it. Passwords and secrets are never in a log; of a person who was deleted, ids are left.',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({
    log: oneOf(auditLogs).optional().describe('Only this log.'),
    user_id: numericId().optional().describe('Only what this user changed.'),
    platform: oneOf(changePlatforms).optional().describe('Only what was changed with this: OPERATOR is the operator.'),
    account_id: id().optional().describe('Only what belongs to this advertising account.'),
    entity: text({ max: 64, pattern: /^[A-Z][A-Z_]*$/, format: 'a kind of entity such as CAMPAIGN' })
      .optional()
      .describe('Only this kind of entity, such as CAMPAIGN, USER, APP or ACCESS_TOKEN.'),
    entity_id: text({ max: 128 }).optional().describe('Only the entity with this id, beside `entity`.'),
    change_type: oneOf(changeTypes).optional().describe('Only this kind of change.'),
    start_time: time().optional().describe('Only changes at this time or later.'),
    end_time: time().optional().describe('Only changes before this time.'),
    after: list(text({ pattern: /-\d{1,18}$/, format: 'the id of a change such as production-204' }), { max: 1000 })
      .optional()
      .describe('Ids of changes: of their logs, and of their shards, only what was recorded after them.'),
    count: pageSize({ initial: 100, max: 1000 }),
    cursor,
  })),
  data: AuditEntry,
  errors: ['INCLUSIVE_PARAMETERS', 'INVALID_PARAMETER', 'INVALID_TIME_WINDOW'],
  example: {
    params: { entity: 'CAMPAIGN', entity_id: '8wku2' },
    data: {
      id: 'production-204',
      log: 'production',
      change_time: '2026-01-15T08:00:00Z',
      change_by_user_id: '1503831318555086849',
      change_by_platform: 'API_OTHER',
      change_type: 'UPDATE',
      entity: 'CAMPAIGN',
      entity_id: '8wku2',
      account_id: '18ce54d4x5t',
      changes: { name: { before: 'Autumn', after: 'Winter' } },
      entity_data: { id: '8wku2', name: 'Winter' },
    },
  },
});
