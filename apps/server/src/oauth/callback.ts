/** Where a person's browser is sent after the decision (specification A, States and transitions). */
import { formEncode } from '@broadside/core/auth';

/** The callback with the request token and its verifier. Parameters that it has are kept (reference, auth section 3). */
export function approvedCallback(callback: string, oauth_token: string, oauth_verifier: string): string {
  return extended(callback, [
    ['oauth_token', oauth_token],
    ['oauth_verifier', oauth_verifier],
  ]);
}

/** The callback of a person who cancelled: no verifier. */
export function cancelledCallback(callback: string, oauth_token: string): string {
  return extended(callback, [['denied', oauth_token]]);
}

// By text and not by the URL class, which would write parts of it anew: the app compares what comes back.
function extended(callback: string, pairs: readonly (readonly [string, string])[]): string {
  const joint = !callback.includes('?') ? '?' : /[?&]$/.test(callback) ? '' : '&';
  return `${callback}${joint}${formEncode(pairs.map(([name, value]) => [name, value]))}`;
}
