import { createHash } from 'node:crypto';
import { style } from './design/style.ts';
import { postStyle } from './post/post-style.ts';

/**
 * Targets of a form besides this server. Browsers apply `form-action` to every redirect that follows a form, including those of
 * the app behind its callback, so a host would be too narrow: the scheme is allowed.
 */
function leadingTo(callback: string): string {
  if (!URL.canParse(callback)) return '';
  const { protocol } = new URL(callback);
  return protocol === 'http:' ? ' http: https:' : ` ${protocol}`;
}

/** Properties of a page that its headers depend on. */
interface PageKind {
  /** The whole style sheet of the page. */
  readonly style: string;
  /** The origins at which forms may end up after redirects, besides this server. */
  readonly callback?: string | undefined;
  /** The page shows media of this server. */
  readonly media?: boolean;
  /** The page loads the script of this server, which asks it for notifications. */
  readonly live?: boolean | undefined;
  /** Origins of the sites that may frame the page, or `*` for any. None by default. */
  readonly frameAncestors?: readonly string[] | '*';
}

function headersOf({
  style,
  callback,
  media = false,
  live = false,
  frameAncestors = [],
}: PageKind): Readonly<Record<string, string>> {
  const ancestors = frameAncestors === '*' ? '*' : frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${hashOf(style)}`,
      media ? "img-src 'self' data:" : 'img-src data:',
      ...(media ? ["media-src 'self'"] : []),
      ...(live ? ["script-src 'self'", "connect-src 'self'"] : []),
      "base-uri 'none'",
      `form-action 'self'${callback === undefined ? '' : leadingTo(callback)}`,
      `frame-ancestors ${ancestors}`,
    ].join('; '),
    // It knows no list of sites; where it is missing, the policy alone counts.
    ...(ancestors === "'none'" ? { 'x-frame-options': 'DENY' } : {}),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}

const hashes = new Map<string, string>();

function hashOf(sheet: string): string {
  const known = hashes.get(sheet) ?? `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`;
  hashes.set(sheet, known);
  return known;
}

/**
 * Returns the headers of every page. `callback` is where the forms of the page may end up: pass it for the pages of a flow that
 * has a callback, sign-in included.
 *
 * With their referrer policy, browsers send `Origin: null` with the forms of our own pages; `Visit` tells these from the forms of
 * other sites by fetch metadata.
 */
export function pageHeaders(callback?: string, live?: boolean): Readonly<Record<string, string>> {
  return headersOf({ style, callback, live });
}

/** Returns the headers of a page with posts, which shows media of this server. @param live it shows notifications that come in */
export function postHeaders(
  frameAncestors: PageKind['frameAncestors'] = [],
  live?: boolean,
): Readonly<Record<string, string>> {
  return headersOf({ style: postStyle, media: true, frameAncestors, live });
}
