import type { AuthContract } from '@broadside/core';
import type { Handler } from '../pipeline/context.ts';

/** `POST /1.1/oauth/invalidate_token`: revokes the access token that signs the request. */
export const invalidateToken: Handler<AuthContract['oauth']['invalidate_token']> = async ({ world, caller, actor }) => {
  const { access_token } = caller;
  await world.identity.tokens.revoke(actor, access_token);
  return { access_token };
};
