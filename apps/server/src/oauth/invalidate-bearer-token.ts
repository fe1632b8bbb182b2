import { ApiError, type AuthContract } from '@broadside/core';
import type { Handler } from '../pipeline/context.ts';

/** `POST /oauth2/invalidate_token`: the app, or its owner, invalidates the app's bearer token. */
export const invalidateBearerToken: Handler<AuthContract['oauth2']['invalidate_token']> = async (
  { world, caller, actor },
  { access_token },
) => {
  if (await world.bearerTokens.invalidate(actor, caller.app_id, access_token)) return { access_token };
  throw new ApiError({ error: 'UNVERIFIED_CREDENTIALS', details: 'this is no valid bearer token of the app' });
};
