import type { AuthorView } from '../../../post-view/post-view.ts';
import { href, mediaAddress } from '../design/address.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { at, nameOf } from '../design/identity.ts';
import { initialOf } from '../design/words.ts';
import { paths } from '../paths.ts';

/** Renders the picture of a person, or the initial of their name. */
export function avatar({ avatar: path, name }: AuthorView): Html {
  const inside = path === null ? html`${initialOf(name)}` : html`<img${mediaAddress('src', path)} alt="">`;
  return html`<span class="tile person" aria-hidden="true">${inside}</span>`;
}

/** Renders the marks of a person. */
export function marksOf({ verified, protected: isProtected }: AuthorView): Html {
  return html`${verified && html`<span class="sign verified">${icon('verified')}<span class="hidden"> Verified</span></span>`}${
    isProtected && html`<span class="sign">${icon('lock')}<span class="hidden"> Protected posts</span></span>`
  }`;
}

/** Renders who posted: picture, name, marks and screen name, with a link to their timeline. */
export function byline(author: AuthorView): Html {
  return html`<header class="by">${avatar(author)}<div class="names"><a class="name"${href(paths.person(author.screen_name))}>${nameOf(author.name)}</a>${marksOf(author)}<span class="handle">${at(author.screen_name)}</span></div></header>`;
}
