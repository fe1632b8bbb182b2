/** What the operator sees of advertising accounts: which there are, where each is, and who may use it. */

import * as z from 'zod';
import { permissions } from '../../operation/access.ts';
import { defineOperatorOperation } from '../../operation/define.ts';
import { count, cursor, q } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { id, int, numericId, oneOf, text, time } from '../../wire/types.ts';
import { approvalStatuses, industryTypes } from '../accounts/entity.ts';
import { environment } from './environment.ts';

/** Whether an account can be used. */
const accountStates = ['ACTIVE', 'SUSPENDED', 'DELETED'] as const;

const listed = object(() => ({
  id: id().describe('The account.'),
  name: text().describe('Its name.'),
  state: oneOf(accountStates).describe('SUSPENDED ones can be read, and nothing of them can be changed.'),
  shard: text().describe('The shard that it is on; `directory` for the store of the environment itself.'),
  business_id: id().nullable().describe('The business that it belongs to.'),
  created_at: time().describe('When it was created.'),
}));

/** An account as lists show it. */
const ListedAccount = object(() => ({ ...listed.shape, users: int().describe('How many users have access to it.') }));
export type ListedAccount = z.output<typeof ListedAccount>;

const AccountUser = object(() => ({
  user_id: numericId().describe('The user.'),
  screen_name: text().nullable().describe('The name of the user; null when there is no such user any more.'),
  permissions: z.array(oneOf(permissions)).describe('What the user may do.'),
}));

const Count = object(() => ({
  entity: text().describe('The kind, as in change logs.'),
  count: int().describe('How many there are. Deleted ones and drafts are left out.'),
}));

/** An account, who may use it and what it has. */
const ShownAccount = object(() => ({
  ...listed.shape,
  business_name: text().nullable().describe('The business that it shows.'),
  timezone: text().describe('IANA name of the time zone in which days are billed.'),
  industry_type: oneOf(industryTypes).nullable().describe('The industry of the advertiser.'),
  approval_status: oneOf(approvalStatuses).describe('Whether it may advertise.'),
  active_campaign_limit: int().describe('How many active campaigns it may have.'),
  users: z.array(AccountUser).describe('Who may use it.'),
  counts: z
    .array(Count)
    .nullable()
    .describe('What it has, by kind, where there is any; null while its shard does not respond.'),
  updated_at: time().describe('When its record last changed.'),
}));
export type ShownAccount = z.output<typeof ShownAccount>;

const example = {
  id: '18ce54d4x5t',
  name: 'Harbour Books',
  state: 'ACTIVE',
  shard: 'directory',
  business_id: null,
  created_at: '2026-01-15T08:00:00Z',
} as const;

/** Lists accounts. */
export const listAccounts = defineOperatorOperation({
  id: 'admin.accounts.list',
  summary: 'List advertising accounts, the newest first',
  description:
    'A page can have fewer than fit where few of many are asked for; others follow while there is a cursor. `broadside admin accounts show` says who may use one.',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({
    environment,
    user_id: numericId().optional().describe('Only those that this user has access to.'),
    state: oneOf(accountStates).optional().describe('Only those in this state; all but deleted ones when left out.'),
    shard: text({ max: 64 })
      .optional()
      .describe('Only those on this shard, or `directory` for the store of the environment itself.'),
    q,
    count,
    cursor,
  })),
  data: ListedAccount,
  errors: ['INVALID_PARAMETER', 'USER_NOT_FOUND'],
  example: { params: { state: 'ACTIVE' }, data: { ...example, users: 2 } },
});

/** Shows one account. */
export const showAccount = defineOperatorOperation({
  id: 'admin.accounts.show',
  summary: 'Show an advertising account: who may use it, where it is and what it has',
  description: 'Also one that was deleted.',
  procedure: 'query',
  envelope: 'entity',
  params: object(() => ({ environment, account_id: id().describe('The advertising account.') })),
  data: ShownAccount,
  errors: ['ACCOUNT_NOT_FOUND'],
  example: {
    params: { account_id: example.id },
    data: {
      ...example,
      business_name: null,
      timezone: 'America/Los_Angeles',
      industry_type: null,
      approval_status: 'ACCEPTED',
      active_campaign_limit: 200,
      users: [{ user_id: '1503831318555086849', screen_name: 'harbourbooks', permissions: ['ACCOUNT_ADMIN'] }],
      counts: [{ entity: 'CAMPAIGN', count: 3 }],
      updated_at: '2026-01-15T08:00:00Z',
    },
  },
});
