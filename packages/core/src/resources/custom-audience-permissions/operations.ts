import { exampleSystemMembers } from '../../operation/entity.ts';
import { account_id, ids, listExclusive } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { custom_audience_id } from '../custom-audiences/params.ts';
import { CustomAudiencePermission, permission_id } from './entity.ts';
import { listedPermissions, sharing } from './params.ts';

const key = { custom_audience_id, custom_audience_permission_id: permission_id };

const shared = { granted_account_id: '18ce54uowww', permission_level: 'READ_ONLY' } as const;
const example = { id: '14m1', custom_audience_id: '1nmth', ...shared, ...exampleSystemMembers };

export const operations = {
  list: defineAccountRead(
    'custom_audience_permissions.list',
    '/12/accounts/:account_id/custom_audiences/:custom_audience_id/permissions',
    {
      summary: 'List the accounts that a custom audience is shared with',
      description: 'The owner of the audience sees all permissions, another account its own.',
      capability: 'audiences.read',
      rateLimit: 'ads.audience',
      envelope: 'list',
      params: object(() => ({
        custom_audience_id,
        ...listedPermissions(),
        custom_audience_permission_ids: ids('permissions'),
      })),
      exclusive: listExclusive,
      data: CustomAudiencePermission,
      errors: ['NOT_FOUND'],
      example: { params: { custom_audience_id: example.custom_audience_id }, data: example },
    },
  ),
  create: defineAccountWrite(
    'custom_audience_permissions.create',
    'POST',
    '/12/accounts/:account_id/custom_audiences/:custom_audience_id/permissions',
    {
      summary: 'Share a custom audience with another account',
      description:
        'Only the owner shares an audience: with accounts of the same business, or with any account by the feature ' +
        'SHARE_AUDIENCE_OUTSIDE_BUSINESS. Sharing it again with the same account changes the permission level.',
      capability: 'audiences.write',
      rateLimit: 'ads.audience',
      envelope: 'entity',
      params: object(() => ({ account_id, custom_audience_id, ...sharing() })),
      data: CustomAudiencePermission,
      errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
      example: { params: { custom_audience_id: example.custom_audience_id, ...shared }, data: example },
    },
  ),
  delete: defineAccountWrite(
    'custom_audience_permissions.delete',
    'DELETE',
    '/12/accounts/:account_id/custom_audiences/:custom_audience_id/permissions/:custom_audience_permission_id',
    {
      summary: 'Stop sharing a custom audience with an account',
      description:
        'The account cannot target the audience any more. Targeting criteria that it has already keep the audience, and ' +
        'its campaigns go on.',
      capability: 'audiences.write',
      rateLimit: 'ads.audience',
      envelope: 'entity',
      params: object(() => ({ account_id, ...key })),
      data: CustomAudiencePermission,
      errors: ['NOT_FOUND'],
      example: {
        params: { custom_audience_id: example.custom_audience_id, custom_audience_permission_id: example.id },
        data: { ...example, deleted: true },
      },
    },
  ),
};

export const position = 250;
