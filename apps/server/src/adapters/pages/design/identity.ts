import { type Html, html } from './html.ts';
import { initialOf } from './words.ts';

/** A name that somebody chose: its direction stays its own. */
export function nameOf(name: string): Html {
  return html`<bdi>${name}</bdi>`;
}

/** A screen name with the sign that all of them have. */
export function at(screenName: string): Html {
  return html`<bdi>@${screenName}</bdi>`;
}

/** A tile with the initial of an app or a person, and what is said beside it. */
export function named(kind: 'app' | 'person', name: string, content: Html): Html {
  return html`<div class="named"><span class="tile ${kind}" aria-hidden="true">${initialOf(name)}</span><div>${content}</div></div>`;
}
