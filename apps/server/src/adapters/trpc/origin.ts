/**
 * Rejects calls by pages of other origins on the internal surface (DESIGN section 6).
 *
 * Such a page has nothing to exploit to begin with: no cookie and no other ambient credential counts here, every call
 * brings a token or a signature of its own; and no response of it carries CORS headers, so a preflight fails and nothing could be
 * read. Mutations are accepted as POST with `application/json` only, which no form can send and a page elsewhere cannot send
 * without that preflight. This check is defense in depth: it rejects before anything is processed, even if a page has
 * obtained a token.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Scheme } from '../own-host.ts';

/**
 * Hosts that cannot be somebody else's DNS names. A page of `evil.example` whose name resolves to this server (DNS rebinding)
 * would appear to be same-origin, so a name counts only if the configuration says that it is ours.
 */
const LOCAL_HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d+)?$/i;

/**
 * Returns whether a request was sent by a page of another origin. Non-browser clients send neither header.
 *
 * @param baseUrl the public base URL of the listener, if one is configured
 * @param scheme what the listener speaks
 */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string | undefined, scheme: Scheme = 'http'): boolean {
  const site = headers['sec-fetch-site'];
  // "none" means that a person typed the URL into the address bar.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin, host = '' } = headers;
  if (origin === undefined) return false;
  if (baseUrl !== undefined) return origin !== new URL(baseUrl).origin;
  return !LOCAL_HOST.test(host) || origin.toLowerCase() !== `${scheme}://${host.toLowerCase()}`;
}
