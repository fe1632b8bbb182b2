import { batchOperations } from '../../operation/batch.ts';
import { exampleSystemMembers } from '../../operation/entity.ts';
import { batchOf, createOf, defineFamily, deleteOf, getOf, listOf, updateOf } from '../../operation/family.ts';
import { account_id, cursor, ids, q } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { extended, object } from '../../wire/object.ts';
import { boolean, oneOf } from '../../wire/types.ts';
import { audienceSortable, CustomAudience, permissionScopes, TargetedCampaign } from './entity.ts';
import { audienceBatchItems } from './flexible/params.ts';
import { CustomAudienceChanges, CustomAudienceCreate, custom_audience_id } from './params.ts';
import { UsersCounts } from './users/counts.ts';
import { audienceUsersItems, audienceUsersOperations } from './users/params.ts';

const audience = defineFamily({
  data: CustomAudience,
  key: { custom_audience_id },
  // The reference has no error of its own for it (conventions section 7).
  missing: 'NOT_FOUND',
  read: 'audiences.read',
  write: 'audiences.write',
  rateLimit: 'ads.audience',
  writeRateLimit: 'ads.audience',
  sortable: audienceSortable,
  example: {
    id: '1nmth',
    name: 'Readers of the newsletter',
    description: 'Subscribers of all editions',
    audience_type: 'CRM',
    audience_size: null,
    targetable: false,
    targetable_types: ['CRM', 'EXCLUDED_CRM'],
    reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
    permission_level: 'READ_WRITE',
    owner_account_id: '18ce54d4x5t',
    is_owner: true,
    partner_source: 'OTHER',
    ...exampleSystemMembers,
  },
});

export const operations = {
  list: listOf(audience, 'custom_audiences.list', '/12/accounts/:account_id/custom_audiences', {
    summary: 'List the custom audiences of an account',
    filters: () => ({
      custom_audience_ids: ids('custom audiences'),
      permission_scope: oneOf(permissionScopes)
        .default('OWNER')
        .describe('OWNER for audiences of the account, SHARED for those that other accounts share with it.'),
      q,
    }),
    example: { q: 'readers' },
  }),
  get: getOf(audience, 'custom_audiences.get', '/12/accounts/:account_id/custom_audiences/:custom_audience_id', {
    summary: 'Get one custom audience',
  }),
  create: createOf(audience, 'custom_audiences.create', '/12/accounts/:account_id/custom_audiences', {
    summary: 'Create a custom audience',
    description: 'Creates a placeholder; its members are added afterwards.',
    params: extended(CustomAudienceCreate, () => ({ account_id })),
    errors: ['QUOTA_EXCEEDED'],
    example: { name: 'Readers of the newsletter', description: 'Subscribers of all editions' },
  }),
  batch: batchOf(audience, 'custom_audiences.batch', '/12/batch/accounts/:account_id/custom_audiences', {
    summary: 'Create up to 10 flexible audiences, or delete audiences, all or none of them',
    description: [
      'A flexible audience combines the members of other audiences, which the account owns or which are shared with it, in a tree: AND takes who is in all child segments, OR who is in any. A segment with `negate` true stands for everybody else in the audiences of the tree, so that AND takes its people away.',
      'An event of a member is each time that an Update adds them to the audience, at its `effective_at`. A leaf takes the members with as many events within `lookback_window` days as `frequency` and `frequency_comparator` ask for.',
      'A flexible audience never changes: an Update applies to the name and description of other audiences only.',
    ].join(' '),
    batch: audienceBatchItems,
    operations: () => batchOperations(audienceBatchItems),
    errors: ['NOT_FOUND', 'QUOTA_EXCEEDED', 'REQUEST_TOO_COMPLEX'],
    example: [
      {
        operation_type: 'Create',
        params: {
          name: 'Readers who came back, without buyers',
          audience_type: 'FLEXIBLE',
          segments: {
            boolean_operator: 'AND',
            child_segments: [
              { custom_audience_id: '1nmth', lookback_window: 30, frequency: 2 },
              { custom_audience_id: '1nmti', negate: true },
            ],
          },
        },
      },
    ],
  }),
  users: defineAccountWrite(
    'custom_audiences.users',
    'POST',
    '/12/accounts/:account_id/custom_audiences/:custom_audience_id/users',
    {
      summary: 'Add people to a custom audience, or remove them, up to 2,500 operations at once',
      description: [
        'The operations apply in their order, all or none of them. An Update adds each user, or adds identifiers and times to a user of the audience who has one of the identifiers. A Delete removes every user who has one of the identifiers; its times change nothing.',
        'All identifiers but `partner_user_id` are normalized and then hashed with SHA-256 before they are sent, in hex. Identifiers are never returned.',
        'The users are stored when the response arrives, and counted some time later; until then the audience is PROCESSING. `success_count` and `total_count` are the number of user records; they are equal. The same request sent again within an hour changes nothing.',
        'The account owns the audience, or it is shared with the account with READ_WRITE. Flexible audiences take no users. The body has up to 5,000,000 bytes.',
      ].join(' '),
      capability: 'audiences.write',
      rateLimit: 'ads.audience_users',
      envelope: 'entity',
      params: object(() => ({ account_id, custom_audience_id, operations: audienceUsersOperations })),
      batch: audienceUsersItems,
      data: UsersCounts,
      errors: ['ILLEGAL_CHARACTERS', 'INVALID_TIME_WINDOW', 'NOT_FOUND', 'REQUEST_TOO_COMPLEX'],
      example: {
        params: {
          custom_audience_id: '1nmth',
          operations: [
            {
              operation_type: 'Update',
              params: {
                users: [
                  {
                    email: ['25d4b1bcb69cb114ae4cbbffaea1d8c5d2efdcf21a68112306865e9bb235febc'],
                    partner_user_id: ['customer-1043'],
                  },
                ],
                effective_at: '2026-01-15T08:00:00Z',
                expires_at: '2026-12-31T00:00:00Z',
              },
            },
          ],
        },
        data: { success_count: 1, total_count: 1 },
      },
    },
  ),
  update: updateOf(
    audience,
    'custom_audiences.update',
    '/12/accounts/:account_id/custom_audiences/:custom_audience_id',
    {
      summary: 'Change the name or the description of a custom audience',
      description:
        'Only the parameters given change; an empty description removes it. Flexible audiences cannot be changed.',
      params: extended(CustomAudienceChanges, () => ({ account_id, custom_audience_id })),
      example: { name: 'Readers of the weekly newsletter' },
    },
  ),
  delete: deleteOf(
    audience,
    'custom_audiences.delete',
    '/12/accounts/:account_id/custom_audiences/:custom_audience_id',
    {
      summary: 'Delete a custom audience',
      description: 'This cannot be undone. The data of its members are removed, and its name becomes free.',
      deleted: { reasons_not_targetable: ['TOO_SMALL'] },
    },
  ),
  targeted: defineAccountRead(
    'custom_audiences.targeted',
    '/12/accounts/:account_id/custom_audiences/:custom_audience_id/targeted',
    {
      summary: 'List the campaigns and line items that target a custom audience',
      description:
        'Campaigns of the account only, also for an audience that another account shares. Line items that leave the ' +
        'audience out are listed too. A page holds up to 200 campaigns, the newest first.',
      capability: 'audiences.read',
      rateLimit: 'ads.audience',
      envelope: 'list',
      params: object(() => ({
        account_id,
        custom_audience_id,
        with_active: boolean()
          .default(true)
          .describe('List line items that are served now only; false lists all others too.'),
        cursor,
      })),
      data: TargetedCampaign,
      errors: ['NOT_FOUND'],
      example: {
        params: { custom_audience_id: '1nmth' },
        data: {
          campaign_id: '8wku2',
          campaign_name: 'Autumn',
          line_items: [{ id: 'bw2rq', name: 'Subscribers', servable: true }],
        },
      },
    },
  ),
};

export const position = 240;
