import { ApiError, type AuthContract } from '@broadside/core';
import type { App } from '@broadside/core/resources/apps';
import { OUT_OF_BAND } from '@broadside/core/resources/apps';
import type { Handler } from '../pipeline/context.ts';

/** `POST /oauth/request_token`: an app starts a flow, and names its callback. */
export const requestToken: Handler<AuthContract['oauth']['request_token']> = async (
  { world, caller },
  { oauth_callback, platform_auth_access_type },
) => {
  const app = await world.identity.apps.get(caller.app_id);
  if (!app) throw new Error('the app that signed is gone');
  checkCallback(app, oauth_callback);
  // Requesting more access has no effect (reference, auth section 3).
  const access_level = platform_auth_access_type === 'read' ? 'read' : app.access_level;
  const token = await world.requestTokens.issue(app.id, oauth_callback, access_level);
  return { ...token, oauth_callback_confirmed: true };
};

function checkCallback(app: App, callback: string): void {
  if (callback === OUT_OF_BAND) {
    if (app.oob_enabled) return;
    throw new ApiError('OOB_NOT_PERMITTED');
  }
  // Exact comparison, trailing slash included: anything looser would let an attacker redirect to another address.
  if (app.callback_urls.includes(callback)) return;
  throw new ApiError({
    error: 'CALLBACK_NOT_APPROVED',
    parameter: 'oauth_callback',
    details: 'oauth_callback must be exactly one of the callback URLs in the settings of the app',
  });
}
