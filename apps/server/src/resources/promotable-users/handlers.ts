import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import { promotableUser } from './entity.ts';

export const handlers: HandlersOf<Contract['promotable_users']> = {
  ...readHandlers(promotableUser, 'promotable_user_id'),
};
