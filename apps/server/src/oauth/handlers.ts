/** The authentication endpoints: one file each. */
import type { AuthContract } from '@broadside/core';
import type { HandlersOf } from '../pipeline/context.ts';
import { accessToken } from './access-token.ts';
import { bearerToken } from './bearer-token.ts';
import { invalidateBearerToken } from './invalidate-bearer-token.ts';
import { invalidateToken } from './invalidate-token.ts';
import { requestToken } from './request-token.ts';

export const oauth: HandlersOf<AuthContract['oauth']> = {
  request_token: requestToken,
  access_token: accessToken,
  invalidate_token: invalidateToken,
};

export const oauth2: HandlersOf<AuthContract['oauth2']> = {
  token: bearerToken,
  invalidate_token: invalidateBearerToken,
};
