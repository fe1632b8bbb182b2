/** Permissions on audiences under the path and the names of version 5, which this part of the interface keeps. */

import { exampleSystemMembers } from '../../operation/entity.ts';
import { account_id, ids, listExclusive } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { id } from '../../wire/types.ts';
import { TailoredAudiencePermission } from './entity.ts';
import { listedPermissions, sharing } from './params.ts';

export { errors } from './errors.ts';

const tailored_audience_id = id().describe('The custom audience; version 5 calls it a tailored audience.');

const shared = { granted_account_id: '18ce54uowww', permission_level: 'READ_ONLY' } as const;
const example = { id: '14m1', tailored_audience_id: '1nmth', ...shared, ...exampleSystemMembers };

export const operations = {
  list: defineAccountRead(
    'tailored_audience_permissions.list',
    '/5/accounts/:account_id/tailored_audiences/:tailored_audience_id/permissions',
    {
      summary: 'List the accounts that a tailored audience is shared with',
      description: 'The permissions of `custom_audience_permissions.list`, under the names of version 5.',
      capability: 'audiences.read',
      rateLimit: 'ads.audience',
      envelope: 'list',
      params: object(() => ({
        tailored_audience_id,
        ...listedPermissions(),
        tailored_audience_permission_ids: ids('permissions'),
      })),
      exclusive: listExclusive,
      data: TailoredAudiencePermission,
      errors: ['TAILORED_AUDIENCE_NOT_FOUND'],
      example: { params: { tailored_audience_id: example.tailored_audience_id }, data: example },
    },
  ),
  create: defineAccountWrite(
    'tailored_audience_permissions.create',
    'POST',
    '/5/accounts/:account_id/tailored_audiences/:tailored_audience_id/permissions',
    {
      summary: 'Share a tailored audience with another account',
      description: 'The same as `custom_audience_permissions.create`, under the names of version 5.',
      capability: 'audiences.write',
      rateLimit: 'ads.audience',
      envelope: 'entity',
      params: object(() => ({ account_id, tailored_audience_id, ...sharing() })),
      data: TailoredAudiencePermission,
      errors: ['QUOTA_EXCEEDED', 'TAILORED_AUDIENCE_NOT_FOUND'],
      example: { params: { tailored_audience_id: example.tailored_audience_id, ...shared }, data: example },
    },
  ),
  delete: defineAccountWrite(
    'tailored_audience_permissions.delete',
    'DELETE',
    '/5/accounts/:account_id/tailored_audiences/:tailored_audience_id/permissions/:tailored_audience_permission_id',
    {
      summary: 'Stop sharing a tailored audience with an account',
      description: 'The same as `custom_audience_permissions.delete`, under the names of version 5.',
      capability: 'audiences.write',
      rateLimit: 'ads.audience',
      envelope: 'entity',
      params: object(() => ({
        account_id,
        tailored_audience_id,
        tailored_audience_permission_id: TailoredAudiencePermission.shape.id,
      })),
      data: TailoredAudiencePermission,
      errors: ['NOT_FOUND', 'TAILORED_AUDIENCE_NOT_FOUND'],
      example: {
        params: { tailored_audience_id: example.tailored_audience_id, tailored_audience_permission_id: example.id },
        data: { ...example, deleted: true },
      },
    },
  ),
};

export const position = 251;
