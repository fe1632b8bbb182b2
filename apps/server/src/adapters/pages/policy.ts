import { createHash } from 'node:crypto';
import { style } from './design/style.ts';

/**
 * Targets of a form besides this server. Browsers apply `form-action` to every redirect that follows a form, including those of
 * the app behind its callback, so a host would be too narrow: the scheme is allowed.
 */
function leadingTo(callback: string): string {
  if (!URL.canParse(callback)) return '';
  const { protocol } = new URL(callback);
  return protocol === 'http:' ? ' http: https:' : ` ${protocol}`;
}

/**
 * Returns the headers of every page. `callback` is where the forms of the page may end up: pass it for the pages of a flow that
 * has a callback, sign-in included.
 *
 * The referrer policy is not `no-referrer`: with that, browsers send `Origin: null` with the forms of our own pages, which
 * makes them indistinguishable from those of other sites.
 */
export function pageHeaders(callback?: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      'img-src data:',
      "base-uri 'none'",
      `form-action 'self'${callback === undefined ? '' : leadingTo(callback)}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}
