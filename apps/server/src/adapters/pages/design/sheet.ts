import { type Html, html } from './html.ts';
import { icon } from './icons.ts';

/** Renders the card that holds the content of a page. */
export function sheet(content: Html): Html {
  return html`<div class="sheet">${content}</div>`;
}

/** Renders a card as a section of its own, with a heading below that of the page. */
export function section(id: string, heading: string, content: Html): Html {
  return html`<section class="sheet" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${content}</section>`;
}

/** Renders a few lines, each with a mark for yes or no. */
export function marked(kind: 'may' | 'not', lines: readonly (Html | string)[]): Html {
  const sign = icon(kind === 'may' ? 'check' : 'cross');
  return html`<ul class="marked ${kind}" role="list">${lines.map((line) => html`<li>${sign}<span>${line}</span></li>`)}</ul>`;
}

/** Renders terms and their descriptions. */
export function facts(entries: readonly (readonly [term: string, description: Html])[]): Html {
  return html`<dl class="facts">${entries.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>`;
}

/** Renders a list, or a text if it is empty. */
export function rows(items: readonly Html[], empty: string): Html {
  if (items.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<ul class="rows" role="list">${items.map((item) => html`<li class="row">${item}</li>`)}</ul>`;
}

/** Disclosure widget, closed by default: consequences and button of an irreversible step. */
export function folded(summary: string, content: Html): Html {
  return html`<details><summary>${summary}</summary><div class="inside">${content}</div></details>`;
}
