import type { Contract } from '@broadside/core';
import type { TailoredAudiencePermission } from '@broadside/core/resources/custom-audience-permissions';
import { chain } from '../../awaitable.ts';
import { mapPage } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import type { AudiencePermissionRow } from './entity.ts';
import { listPermissions, revoke, share } from './permissions.ts';

const names = {
  audience: 'tailored_audience_id',
  permission: 'tailored_audience_permission_id',
  missing: 'TAILORED_AUDIENCE_NOT_FOUND',
} as const;

/** Returns a permission as version 5 names it. */
function show({ custom_audience_id, ...row }: AudiencePermissionRow): TailoredAudiencePermission {
  return { ...row, tailored_audience_id: custom_audience_id };
}

export const handlers: HandlersOf<Contract['tailored_audience_permissions']> = {
  list(context, { tailored_audience_id, tailored_audience_permission_ids: permission_ids, ...query }) {
    const asked = { ...query, permission_ids };
    return chain(listPermissions(context.reject, names, context, tailored_audience_id, asked), (page) =>
      mapPage(page, show),
    );
  },

  async create(context, { tailored_audience_id, ...terms }) {
    return show(await share(context.reject, names, context, tailored_audience_id, terms));
  },

  async delete(context, { tailored_audience_id, tailored_audience_permission_id }) {
    return show(await revoke(context.reject, names, context, tailored_audience_id, tailored_audience_permission_id));
  },
};
