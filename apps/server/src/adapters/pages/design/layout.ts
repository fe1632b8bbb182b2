import { paths } from '../paths.ts';
import { href } from './address.ts';
import { mark } from './brand.ts';
import { htmlDocument } from './document.ts';
import { button, form } from './form.ts';
import { type Html, html } from './html.ts';
import { at } from './identity.ts';
import { style as pageStyle } from './style.ts';

/** The signed-in user, as shown in the header. */
interface SignedIn {
  readonly screen_name: string;
  /** CSRF token of their forms. */
  readonly csrf: string;
}

/** Properties of the layout around the page content. */
export interface LayoutOptions {
  /** Page title without the platform name. */
  readonly title: string;
  /** `narrow` for a single question, `wide` for settings. */
  readonly width: 'narrow' | 'wide';
  readonly signed_in?: SignedIn | undefined;
  /** A line below the content. */
  readonly footnote?: Html | string | undefined;
  /** The whole style sheet, if it is not that of all pages. */
  readonly style?: string | undefined;
}

/** Renders a whole page. It loads nothing from other hosts, and has no script. */
export function layout(options: LayoutOptions, content: Html): string {
  const { title, width, signed_in, footnote, style = pageStyle } = options;
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

/** Renders the heading of a page, with the elements that belong to it. */
export function heading(text: Html | string, more?: Html): Html {
  return html`<div class="title"><h1>${text}</h1>${more}</div>`;
}
