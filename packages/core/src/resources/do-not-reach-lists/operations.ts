import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, deleteOf } from '../../operation/family.ts';
import { account_id, with_deleted } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { id, text } from '../../wire/types.ts';
import { UsersCounts } from '../custom-audiences/users/counts.ts';
import { listUsersItems, listUsersOperations } from '../custom-audiences/users/params.ts';
import { DO_NOT_REACH_LIST, DoNotReachList } from './entity.ts';

const do_not_reach_list_id = id().describe('The do-not-reach list.');

const doNotReachList = defineFamily({
  data: DoNotReachList,
  key: { do_not_reach_list_id },
  missing: 'NOT_FOUND',
  read: 'audiences.read',
  write: 'audiences.write',
  rateLimit: 'ads.audience',
  writeRateLimit: 'ads.audience',
  sortable: ['created_at'],
  example: {
    id: '1nmtk',
    name: DO_NOT_REACH_LIST,
    description: 'People who asked not to see advertising of ours',
    list_size: null,
    targetable: false,
    reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
    ...exampleSystemMembers,
  },
});

export const operations = {
  list: defineAccountRead('do_not_reach_lists.list', '/12/accounts/:account_id/do_not_reach_lists', {
    summary: 'List the do-not-reach lists of an account',
    description: 'An account has at most one that is not deleted.',
    capability: doNotReachList.read,
    rateLimit: 'ads.audience',
    envelope: 'values',
    beside: { next_cursor: null },
    params: object(() => ({ account_id, with_deleted })),
    data: DoNotReachList,
    example: { params: {}, data: doNotReachList.example },
  }),
  create: createOf(doNotReachList, 'do_not_reach_lists.create', '/12/accounts/:account_id/do_not_reach_lists', {
    summary: 'Create the do-not-reach list of an account',
    description:
      'No campaign of the account reaches the people on the list; they stay in the audiences that they are in. An account has at most one list.',
    params: object(() => ({
      account_id,
      description: text().optional().describe('What the list is about: up to 255 characters.'),
    })),
    example: { description: 'People who asked not to see advertising of ours' },
  }),
  delete: deleteOf(
    doNotReachList,
    'do_not_reach_lists.delete',
    '/12/accounts/:account_id/do_not_reach_lists/:do_not_reach_list_id',
    {
      summary: 'Delete the do-not-reach list of an account',
      description: 'This cannot be undone. The data of its people are removed; another list can be created afterwards.',
      deleted: { reasons_not_targetable: ['TOO_SMALL'] },
    },
  ),
  users: defineAccountWrite(
    'do_not_reach_lists.users',
    'POST',
    '/12/batch/accounts/:account_id/do_not_reach_lists/:do_not_reach_list_id/users',
    {
      summary: 'Add people to a do-not-reach list, or remove them, by up to 2,500 operations',
      description: [
        'The operations apply in their order, all or none of them, from now on. E-mail addresses and telephone numbers are normalized and then hashed with SHA-256 before they are sent, in hex. They are never returned.',
        'The users are stored when the response arrives. `success_count` and `total_count` of each operation are the number of its user records; they are equal. The body has up to 5,000,000 bytes.',
      ].join(' '),
      capability: 'audiences.write',
      rateLimit: 'ads.audience_users',
      envelope: 'batch',
      params: object(() => ({ account_id, do_not_reach_list_id, operations: listUsersOperations })),
      batch: listUsersItems,
      data: UsersCounts,
      errors: ['INVALID_TIME_WINDOW', 'NOT_FOUND', 'REQUEST_TOO_COMPLEX'],
      example: {
        params: {
          do_not_reach_list_id: '1nmtk',
          operations: [
            {
              operation_type: 'Update',
              params: {
                users: [{ email: ['25d4b1bcb69cb114ae4cbbffaea1d8c5d2efdcf21a68112306865e9bb235febc'] }],
                expires_at: '2026-12-31T00:00:00Z',
              },
            },
          ],
        },
        data: { success_count: 1, total_count: 1 },
      },
    },
  ),
};

export const position = 245;
