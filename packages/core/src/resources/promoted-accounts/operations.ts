import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, deleteOf, getOf, listOf } from '../../operation/family.ts';
import { account_id, ids } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { numericId } from '../../wire/types.ts';
import { line_item_id } from '../line-items/params.ts';
import { promotedSortable } from '../promoted-posts/entity.ts';
import { PromotedAccount, promoted_account_id } from './entity.ts';

export { errors } from './errors.ts';

const promotedAccount = defineFamily({
  data: PromotedAccount,
  key: { promoted_account_id },
  missing: 'PROMOTED_ACCOUNT_NOT_FOUND',
  read: 'campaigns.read',
  write: 'campaigns.write',
  sortable: promotedSortable,
  example: {
    id: '19pl2',
    line_item_id: 'bw2rs',
    user_id: '1503831318555086849',
    entity_status: 'ACTIVE',
    approval_status: 'ACCEPTED',
    ...exampleSystemMembers,
  },
});

export const operations = {
  list: listOf(promotedAccount, 'promoted_accounts.list', '/12/accounts/:account_id/promoted_accounts', {
    summary: 'List the promoted accounts of an account',
    description: 'Rejected when `line_item_ids` names line items and none of them can have promoted accounts.',
    filters: () => ({ line_item_ids: ids('line items'), promoted_account_ids: ids('promoted accounts') }),
    errors: ['INCOMPATIBLE_LINE_ITEM'],
    example: { line_item_ids: ['bw2rs'] },
  }),
  get: getOf(
    promotedAccount,
    'promoted_accounts.get',
    '/12/accounts/:account_id/promoted_accounts/:promoted_account_id',
    {
      summary: 'Get one promoted account',
    },
  ),
  create: createOf(promotedAccount, 'promoted_accounts.create', '/12/accounts/:account_id/promoted_accounts', {
    summary: 'Attach a user to a line item that finds followers',
    description:
      'A user whom the line item promotes already is left as it is, and the record that is there is returned.',
    params: object(() => ({
      account_id,
      line_item_id,
      user_id: numericId().describe('The user to promote: the FULL promotable user of the account.'),
    })),
    errors: ['INCOMPATIBLE_LINE_ITEM', 'INVALID_USER', 'LINE_ITEM_NOT_FOUND', 'QUOTA_EXCEEDED'],
    example: { line_item_id: 'bw2rs', user_id: '1503831318555086849' },
  }),
  delete: deleteOf(
    promotedAccount,
    'promoted_accounts.delete',
    '/12/accounts/:account_id/promoted_accounts/:promoted_account_id',
    {
      summary: 'Detach a user from its line item',
      description: 'Takes the id of the promoted account, not the `user_id`.',
    },
  ),
};

export const position = 80;
