import { ApiError, type AuthContract } from '@broadside/core';
import type { Handler } from '../pipeline/context.ts';

/** `POST /oauth/access_token`: exchanges an approved request token for an access token, once. */
export const accessToken: Handler<AuthContract['oauth']['access_token']> = async (
  { world, caller },
  { oauth_verifier },
) => {
  const exchange = await world.requestTokens.exchange(caller.request_token, oauth_verifier);
  switch (exchange.kind) {
    case 'issued': {
      const { access_token, access_token_secret, user_id, screen_name } = exchange.token;
      return { oauth_token: access_token, oauth_token_secret: access_token_secret, user_id, screen_name };
    }
    case 'wrong_verifier':
      throw new ApiError({
        error: 'UNAUTHORIZED_ACCESS',
        parameter: 'oauth_verifier',
        message: 'oauth_verifier is not the one that was given out for this request token',
      });
    case 'spent':
      throw new ApiError({
        error: 'INVALID_TOKEN',
        parameter: 'oauth_token',
        message: 'Invalid or expired token: a request token is good for one exchange within 15 minutes',
      });
  }
};
