import { newsScript } from '../notifications/script.ts';
import { paths } from '../paths.ts';
import { href } from './address.ts';
import { mark } from './brand.ts';
import { htmlDocument } from './document.ts';
import { button, form } from './form.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { at } from './identity.ts';
import { style as pageStyle } from './style.ts';

/** The signed-in user, as shown in the header. */
export interface SignedIn {
  readonly screen_name: string;
  /** CSRF token of their forms. */
  readonly csrf: string;
  /** Their notifications, on pages that show those that come in. */
  readonly news?: News | undefined;
}

/** The notifications of a person, as the header counts them. */
export interface News {
  readonly unread: number;
  /** The id of the latest one; 0 when there is none. */
  readonly latest: number;
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

/** Renders a whole page. It loads nothing from other hosts. One with notifications has a script, which shows those that come in. */
export function layout(options: LayoutOptions, content: Html): string {
  const { title, width, signed_in, footnote, style = pageStyle } = options;
  return htmlDocument(
    { title: `${title} · Broadside`, style, meta: { robots: 'noindex' } },
    html`${signed_in && html`<a class="skip"${href('#main')}>Skip to the content</a>`}
<header class="mast">${signed_in ? signedInHeader(signed_in) : html`<span class="brand">${mark}<b>Broadside</b></span>`}</header>
<main id="main" class="${width}">
${content}
</main>
<footer class="foot"><p>${footnote ?? elsewhere(signed_in)}</p></footer>${signed_in?.news && html`<script src="${newsScript}" defer></script>`}`,
  );
}

function signedInHeader({ screen_name, csrf, news }: SignedIn): Html {
  return html`<a class="brand"${href(paths.settings)}>${mark}<b>Broadside</b></a><div class="who">${news && newsLink(news)}<span><span class="hidden">Signed in as </span>${at(screen_name)}</span>${form(
    { action: paths.signOut, hidden: { csrf } },
    button({ label: 'Sign out', emphasis: 'quiet' }),
  )}</div>${news && html`<div id="news" role="status" aria-live="polite" data-after="${news.latest}"></div>`}`;
}

function newsLink({ unread }: News): Html {
  return html`<a class="bell" id="news-link"${href(paths.notifications)}>${icon('bell')}<span class="hidden">Notifications</span><span class="count" id="news-count">${unread > 0 && html`<span class="hidden">, </span><b>${unread}</b><span class="hidden"> unread</span>`}</span></a>`;
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
