import type * as z from 'zod';
import { permissions } from '../../operation/access.ts';
import { object } from '../../wire/object.ts';
import { list, numericId, oneOf } from '../../wire/types.ts';

/** Permissions as a list; users without any permission on an account do not appear at all. */
export const permissionList = () => list(oneOf(permissions), { max: permissions.length });

/** Permissions of a user on an account (specification C, authenticated user access). */
export const AccountAccess = object(() => ({
  user_id: numericId().describe('The user.'),
  permissions: permissionList().describe('What the user may do on the account.'),
}));
export type AccountAccess = z.output<typeof AccountAccess>;
