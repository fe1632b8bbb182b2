import { type Html, html } from './html.ts';
import { initialOf } from './words.ts';

/** Renders a user-chosen name, with its text direction isolated. */
export function nameOf(name: string): Html {
  return html`<bdi>${name}</bdi>`;
}

/** Renders a screen name with its `@`. */
export function at(screenName: string): Html {
  return html`<bdi>@${screenName}</bdi>`;
}

/** Renders a tile with the initial of an app or a person, and a text next to it. */
export function named(kind: 'app' | 'person', name: string, content: Html): Html {
  return html`<div class="named"><span class="tile ${kind}" aria-hidden="true">${initialOf(name)}</span><div>${content}</div></div>`;
}
