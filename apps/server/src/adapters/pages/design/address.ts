import { type Html, html } from './html.ts';

/** A path of this server, or a place on the page: no scheme, no host, nothing that a browser reads as one. */
const LOCAL = /^(?:#[\w-]+|\/(?![/\\])[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?)$/;

function local(path: string): string {
  if (!LOCAL.test(path)) throw new TypeError('A page links to paths of its own server only');
  return path;
}

/** The address of a link. */
export function href(path: string): Html {
  return html` href="${local(path)}"`;
}

/** The address to which a form is sent. All forms change something, so all are sent with POST. */
export function action(path: string): Html {
  return html` method="post" action="${local(path)}"`;
}
