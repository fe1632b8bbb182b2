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

/** The `action` of a form. All forms change something, so all are sent with POST. */
export function action(path: string): Html {
  return html` method="post" action="${local(path)}"`;
}
