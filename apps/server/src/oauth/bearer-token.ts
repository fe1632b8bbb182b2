import type { AuthContract } from '@broadside/core';
import type { Handler } from '../pipeline/context.ts';

/** `POST /oauth2/token`: the bearer token of an app, the same one until it is invalidated. */
export const bearerToken: Handler<AuthContract['oauth2']['token']> = async ({ world, caller, actor }) => ({
  token_type: 'bearer',
  access_token: await world.bearerTokens.tokenOf(actor, caller.app_id),
});
