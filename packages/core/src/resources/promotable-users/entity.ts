import * as z from 'zod';
import { boolean, id, numericId, oneOf, time } from '../../wire/types.ts';

/** Whose own posts are promoted, and whose posts are promoted as reposts. */
export const promotableUserTypes = ['FULL', 'REPOSTS_ONLY'] as const;

/** A promotable user (specification C, Promotable users). */
export const PromotableUser = z.object({
  id: id().describe('The promotable user.'),
  user_id: numericId().describe('The user of the platform.'),
  promotable_user_type: oneOf(promotableUserTypes).describe(
    'FULL: the account and its own posts are promoted. REPOSTS_ONLY: posts are promoted as reposts of the FULL user.',
  ),
  created_at: time().describe('When the user became promotable.'),
  updated_at: time().describe('When this last changed.'),
  deleted: boolean().describe('Whether the user can no longer be promoted.'),
});
export type PromotableUser = z.output<typeof PromotableUser>;
