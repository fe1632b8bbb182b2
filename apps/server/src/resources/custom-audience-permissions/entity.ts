import { defineEntity, type RowOf } from '../../db/entity.ts';
import { equals, isOneOf } from '../../db/filters.ts';
import { audienceGrants } from '../../world/audience-grant-table.ts';
import { customAudience } from '../custom-audiences/find.ts';

/** A grant of the directory, as the owner of the audience writes it. It is hidden when the audience is deleted. */
export const audiencePermission = defineEntity({
  name: 'CUSTOM_AUDIENCE_PERMISSION',
  table: audienceGrants,
  quota: 'custom_audience_permissions',
  parent: { entity: customAudience, column: audienceGrants.custom_audience_id },
  missing: { error: 'NOT_FOUND', parameter: 'custom_audience_permission_id' },
  filters: {
    custom_audience_id: equals(audienceGrants.custom_audience_id),
    granted_account_ids: isOneOf(audienceGrants.granted_account_id),
    permission_ids: isOneOf(audienceGrants.id),
  },
  key: ['custom_audience_id', 'granted_account_id'],
});

export type AudiencePermissionRow = RowOf<typeof audiencePermission>;
