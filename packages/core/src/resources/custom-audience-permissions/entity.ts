import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { id, oneOf } from '../../wire/types.ts';
import { permissionLevels } from '../custom-audiences/entity.ts';

const permission = object(() => ({
  granted_account_id: id().describe('The account that the audience is shared with.'),
  permission_level: oneOf(permissionLevels).describe(
    'READ_ONLY to see and target the audience; READ_WRITE to change its name, its description and its users as well.',
  ),
  ...systemMembers({
    created_at: 'When the audience was shared.',
    updated_at: 'When the permission last changed.',
    deleted: 'Whether the permission has been revoked.',
  }),
}));

/** The permission, in the path. */
export const permission_id = id().describe('The permission.');

/** A permission on an audience that is shared with another account (reference, audiences section 2). */
export const CustomAudiencePermission = object(() => ({
  id: permission_id,
  custom_audience_id: id().describe('The audience that is shared.'),
  ...permission.shape,
}));
export type CustomAudiencePermission = z.output<typeof CustomAudiencePermission>;

/** The same permission, as version 5 names it. */
export const TailoredAudiencePermission = object(() => ({
  id: permission_id,
  tailored_audience_id: id().describe('The audience that is shared.'),
  ...permission.shape,
}));
export type TailoredAudiencePermission = z.output<typeof TailoredAudiencePermission>;

/** The attributes that lists of permissions can be sorted by (reference, conventions section 4). */
export const permissionSortable = ['created_at', 'updated_at'] as const;
