import { type Html, html } from './html.ts';

/** A path of this server, or a fragment of the page: no scheme, no host, and nothing that a browser reads as one. */
const LOCAL = /^(?:#[\w-]+|\/(?![/\\])[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?)$/;

function local(path: string): string {
  if (!LOCAL.test(path)) throw new TypeError('A page links to paths of its own server only');
  return path;
}

/** The `href` attribute of a link. */
export function href(path: string): Html {
  return html` href="${local(path)}"`;
}

/** The `href` attribute of a link to a path of another listener of this platform. @param base its public base URL */
export function platformLink(base: string, path: string): Html {
  const { protocol, href: normal } = new URL(`${base}${local(path)}`);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('A listener is reached by HTTP only');
  return html` href="${normal}"`;
}

/** The `action` of a form. All forms change something, so all are sent with POST. */
export function action(path: string): Html {
  return html` method="post" action="${local(path)}"`;
}

/** The path of media on this server. */
const MEDIA = /^\/media\/[a-z0-9][a-z0-9._/-]*$/;

/** An attribute with the address of media: they are of this server only. */
export function mediaAddress(name: 'src' | 'srcset' | 'poster' | 'href', path: string): Html {
  if (!MEDIA.test(path)) throw new TypeError('A page shows media of its own server only');
  return html` ${name}="${path}"`;
}

/**
 * The attributes of a link to another site, which learns neither where the reader comes from nor gets hold of this page.
 * @param url an absolute address with `http` or `https`
 */
export function outwardLink(url: string): Html {
  const { protocol, href: normal } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('A page leads to sites only');
  return html` href="${normal}" target="_blank" rel="noopener noreferrer nofollow"`;
}
