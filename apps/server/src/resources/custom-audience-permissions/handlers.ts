import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { listPermissions, revoke, share } from './permissions.ts';

const names = {
  audience: 'custom_audience_id',
  permission: 'custom_audience_permission_id',
  missing: 'NOT_FOUND',
} as const;

export const handlers: HandlersOf<Contract['custom_audience_permissions']> = {
  list: (context, { custom_audience_id, custom_audience_permission_ids: permission_ids, ...query }) =>
    listPermissions(context.reject, names, context, custom_audience_id, { ...query, permission_ids }),

  create: (context, { custom_audience_id, ...terms }) =>
    share(context.reject, names, context, custom_audience_id, terms),

  delete: (context, { custom_audience_id, custom_audience_permission_id }) =>
    revoke(context.reject, names, context, custom_audience_id, custom_audience_permission_id),
};
