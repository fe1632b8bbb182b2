/** Addresses outside of this server, where they come from what people wrote. */

const SAFE = new Set(['http:', 'https:']);

/** Returns an address in its normal form if a browser may be led there: `http` or `https`; otherwise null. */
export function outwardUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return SAFE.has(url.protocol) && url.hostname !== '' ? url.href : null;
}

/** Returns the host of an address as a reader sees it, without `www.`. */
export function hostOf(text: string): string {
  return URL.canParse(text) ? new URL(text).host.replace(/^www\./, '') : text;
}
