import { createHash } from 'node:crypto';
import { style } from './design/style.ts';

/**
 * Where a form may lead besides this server. Browsers hold `form-action` against every redirect that follows a form, those of the
 * app behind its callback included, so a host would be too narrow: it is the scheme that is named.
 */
function leadingTo(callback: string): string {
  if (!URL.canParse(callback)) return '';
  const { protocol } = new URL(callback);
  return protocol === 'http:' ? ' http: https:' : ` ${protocol}`;
}

/**
 * The headers of every page. `callback` is where the forms of the page may end up: give it with the pages of a flow that has a
 * callback, sign-in included.
 *
 * The referrer policy is not `no-referrer`: with that, browsers send `Origin: null` along with the forms of our own pages, and
 * they could not be told from those of strangers.
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
