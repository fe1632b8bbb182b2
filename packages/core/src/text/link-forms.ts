const scheme = /https?:\/\//iy;
const schemeAndWww = /(?:https?:\/\/)?(?:www\.)?/iy;
const longestShownPath = 15;
const ellipsis = '…';

/** Returns the absolute form of a link in a text: one without a scheme gets `http://`. */
export function expandedUrl(url: string): string {
  scheme.lastIndex = 0;
  return scheme.test(url) ? url : `http://${url}`;
}

/**
 * Returns the displayed form of a link: without scheme, `www.` and the slash of an empty path; a long path and query
 * are truncated to 15 characters and an ellipsis.
 */
export function displayUrl(url: string): string {
  schemeAndWww.lastIndex = 0;
  schemeAndWww.test(url);
  const start = schemeAndWww.lastIndex;
  const hostEnd = pathStart(url, start);
  if (url.length - hostEnd <= 1 && url[hostEnd] === '/') return url.slice(start, hostEnd);
  if (url.length - hostEnd <= longestShownPath) return url.slice(start);
  const path = Array.from(url.slice(hostEnd));
  if (path.length <= longestShownPath) return url.slice(start);
  return url.slice(start, hostEnd) + path.slice(0, longestShownPath).join('') + ellipsis;
}

function pathStart(url: string, from: number): number {
  for (let at = from; at < url.length; at++) {
    const character = url[at];
    if (character === '/' || character === '?') return at;
  }
  return url.length;
}
