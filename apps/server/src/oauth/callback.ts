/** Redirects to the app after the user's decision (specification A, States and transitions). */
import { formEncode } from '@broadside/core/auth';

/** Returns the callback with the request token and its verifier. Its own parameters are preserved (reference, auth section 3). */
export function approvedCallback(callback: string, oauth_token: string, oauth_verifier: string): string {
  return extended(callback, [
    ['oauth_token', oauth_token],
    ['oauth_verifier', oauth_verifier],
  ]);
}

/** Returns the callback after cancelling: no verifier. */
export function cancelledCallback(callback: string, oauth_token: string): string {
  return extended(callback, [['denied', oauth_token]]);
}

// As text and not with the URL class, which would normalize parts of it: the app compares what comes back.
function extended(callback: string, pairs: readonly (readonly [string, string])[]): string {
  const query = callback.indexOf('?');
  // Only the first question mark begins the query; another one is part of it.
  const isOpen = query === callback.length - 1 || callback.endsWith('&');
  const joint = query === -1 ? '?' : isOpen ? '' : '&';
  return `${callback}${joint}${formEncode(pairs.map(([name, value]) => [name, value]))}`;
}
