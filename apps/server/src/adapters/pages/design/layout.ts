import { paths } from '../paths.ts';
import { href } from './address.ts';
import { mark } from './brand.ts';
import { htmlDocument } from './document.ts';
import { button, form } from './form.ts';
import { type Html, html } from './html.ts';
import { at } from './identity.ts';
import { style } from './style.ts';

/** The person who is signed in, as the header shows them. */
interface SignedIn {
  readonly screen_name: string;
  /** The token that their forms carry. */
  readonly csrf: string;
}

/** Properties of the layout around the page content. */
export interface LayoutOptions {
  /** Page title without the platform name. */
  readonly title: string;
  /** `narrow` for one question, `wide` for settings. */
  readonly width: 'narrow' | 'wide';
  readonly signed_in?: SignedIn | undefined;
  /** A line under the matter. */
  readonly footnote?: Html | string | undefined;
}

/** A whole page. It needs nothing from elsewhere, and no script. */
export function layout(options: LayoutOptions, content: Html): string {
  const { title, width, signed_in, footnote } = options;
  return htmlDocument(
    { title: `${title} · Broadside`, style, meta: { robots: 'noindex' } },
    html`${signed_in && html`<a class="skip"${href('#main')}>Skip to the content</a>`}
<header class="mast">${signed_in ? signedInHeader(signed_in) : html`<span class="brand">${mark}<b>Broadside</b></span>`}</header>
<main id="main" class="${width}">
${content}
</main>
<footer class="foot"><p>${footnote ?? elsewhere(signed_in)}</p></footer>`,
  );
}

function signedInHeader({ screen_name, csrf }: SignedIn): Html {
  return html`<a class="brand"${href(paths.settings)}>${mark}<b>Broadside</b></a><div class="who"><span><span class="hidden">Signed in as </span>${at(screen_name)}</span>${form(
    { action: paths.signOut, hidden: { csrf } },
    button({ label: 'Sign out', emphasis: 'quiet' }),
  )}</div>`;
}

function elsewhere(signedIn: SignedIn | undefined): Html {
  return signedIn
    ? html`<a${href('/docs')}>Reference of the interface</a>`
    : html`<a${href(paths.settings)}>Apps with access to your account</a>`;
}

/** The heading of a page, with what belongs to it. */
export function heading(text: Html | string, more?: Html): Html {
  return html`<div class="title"><h1>${text}</h1>${more}</div>`;
}
