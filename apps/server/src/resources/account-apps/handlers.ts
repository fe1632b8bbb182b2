import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { accountApp } from './entity.ts';

export const handlers: HandlersOf<Contract['account_apps']> = {
  list: ({ account }, params) => account.of(accountApp).list(params),
};
