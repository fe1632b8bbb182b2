/**
 * The names of the cookies of a browser. All worlds share the host and its cookies, so a cookie names its world: who signs in to one
 * stays signed in to the others. Their paths are all the same, since a page about a request token is at an address without a world.
 */

/** What a cookie says: who is signed in, or which form was shown to somebody who is not. */
export type CookieKind = 'session' | 'visitor';

/** Worlds for which a browser keeps cookies of a kind at most. A server reads 16 kB of headers, and a browser of tests sees many worlds. */
const MOST_WORLDS = 20;

/**
 * The name of a cookie.
 * @param world what credentials of its world begin with; empty for the default world
 * @param isSecure the server is reached by HTTPS; the prefix then makes browsers reject such a cookie from any other host
 */
export function cookieName(kind: CookieKind, world: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}broadside_${kind}${world === '' ? '' : `_${world}`}`;
}

/**
 * The names of cookies of other worlds that have to go, so that there is room for one more. Browsers send the oldest first.
 * @param sent the names that the browser sent @param name the cookie that is set
 */
export function crowdedOut(sent: readonly string[], kind: CookieKind, name: string, isSecure: boolean): string[] {
  const beginning = `${cookieName(kind, '', isSecure)}_`;
  if (!name.startsWith(beginning)) return [];
  const others = sent.filter((one) => one !== name && one.startsWith(beginning));
  return others.slice(0, Math.max(0, others.length + 1 - MOST_WORLDS));
}
