/**
 * Keeps pages of other origins away from the internal surface (DESIGN section 6).
 *
 * A page elsewhere has nothing to ride on to begin with: no cookie and no other ambient credential counts here, every call
 * brings a token or a signature of its own; and no answer carries CORS headers, so a preflight fails and nothing could be
 * read. Mutations come as POST with `application/json` only, which no form can send and which a page elsewhere may not send
 * without that preflight. This check is the second wall: it refuses before anything is looked at, also where a page has
 * got hold of a token.
 */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Hosts that are no DNS names of someone else's. A page of `evil.example` whose name was made to point here (DNS rebinding)
 * would call itself the same origin, so a name counts only where the configuration says that it is ours.
 */
const LOCAL_HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d+)?$/i;

/**
 * Whether a request was sent by a page of another origin. Programs that are no browsers send neither header.
 *
 * @param baseUrl the public base URL of the listener, where one is configured
 */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  // "none" is what a person typed into the address bar.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin, host = '' } = headers;
  if (origin === undefined) return false;
  if (baseUrl !== undefined) return origin !== new URL(baseUrl).origin;
  return !LOCAL_HOST.test(host) || origin.toLowerCase() !== `http://${host.toLowerCase()}`;
}
