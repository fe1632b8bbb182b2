import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { id, numericId, oneOf } from '../../wire/types.ts';

/** FULL: the user's own posts are promoted. REPOSTS_ONLY: the user's posts are promoted as reposts. */
export const promotableUserTypes = ['FULL', 'REPOSTS_ONLY'] as const;

/** The parameter that identifies one. */
export const promotable_user_id = id().describe('The promotable user.');

/** A promotable user (specification C, Promotable users). */
export const PromotableUser = object(() => ({
  id: promotable_user_id,
  user_id: numericId().describe('The user of the platform.'),
  promotable_user_type: oneOf(promotableUserTypes).describe(
    'FULL: the account and its own posts are promoted. REPOSTS_ONLY: posts are promoted as reposts of the FULL user.',
  ),
  ...systemMembers({
    created_at: 'When the user became promotable.',
    deleted: 'Whether the user can no longer be promoted.',
  }),
}));
export type PromotableUser = z.output<typeof PromotableUser>;
