/** Pages of a listener for people who open its address, or a wrong one, in a browser. Programs get JSON. */
import { href, platformLink } from './design/address.ts';
import { type Html, html } from './design/html.ts';
import { heading, layout } from './design/layout.ts';
import { sheet } from './design/sheet.ts';

/** Another listener of the platform. */
export interface OtherListener {
  readonly title: string;
  readonly url: string;
}

/** Returns whether a client would rather have a page than JSON: browsers name HTML first, programs not at all. */
export function prefersPage(accept: string | undefined): boolean {
  const [first = ''] = accept?.split(',') ?? [];
  return /^\s*text\/html\s*(?:;|$)/i.test(first);
}

/** The page of a path that does not exist. @param hint what was probably meant */
export function noSuchPage({
  said,
  hint,
  prefix,
  others,
}: {
  said: string;
  hint?: string | undefined;
  prefix?: string | undefined;
  others: readonly OtherListener[];
}): string {
  const content = html`${heading('There is no such page', html`<p class="soft">Error 404</p>`)}
<p>${said}.</p>
${hint && html`<p>${hint}</p>`}
${links(others, prefix)}`;
  return layout(
    { title: 'There is no such page', width: 'narrow', footnote: 'Programs get this answer as JSON.' },
    sheet(content),
  );
}

/** The page at `/` of a listener that has no pages of its own. */
export function welcomePage({
  title,
  prefix,
  others,
}: {
  title: string;
  prefix?: string | undefined;
  others: readonly OtherListener[];
}): string {
  const content = html`${heading(title)}
<p>This port is for programs. Requests are signed with OAuth 1.0a, by the keys of an app and the access token of a user.</p>
${links(others, prefix)}`;
  return layout(
    { title, width: 'narrow', footnote: 'A platform for short posts and the advertising around them.' },
    sheet(content),
  );
}

/** @param prefix the path prefix that has chosen the vocabulary of the page */
function links(others: readonly OtherListener[], prefix = ''): Html {
  return html`<p><a${href(`${prefix}/docs`)}>Reference of this listener</a>, and its <a${href(`${prefix}/openapi.json`)}>OpenAPI document</a></p>
${others.map(({ title, url }) => html`<p>Reference of <a${platformLink(url, `${prefix}/docs`)}>${title}</a></p>`)}`;
}
