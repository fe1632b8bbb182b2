import { href } from '../design/address.ts';
import { type Html, html } from '../design/html.ts';

/**
 * Renders slides side by side, to be swiped. Without a script: the list scrolls and snaps; with the focus in it, arrow keys
 * scroll. Browsers that can make buttons and marks of their own from the style do; in others, numbers lead to the slides.
 * @param id start of the ids of its elements, unique on the page
 */
export function carousel(slides: readonly Html[], id: string): Html {
  const count = slides.length;
  return html`<div class="carousel" role="group" aria-roledescription="carousel" aria-label="${count} slides"><div class="slides" role="group" aria-label="Slides, to be scrolled sideways" tabindex="0">${slides.map(
    (slide, index) =>
      html`<div class="slide" id="${id}-s${index + 1}" role="group" aria-roledescription="slide" aria-label="${index + 1} of ${count}"><span class="badge" aria-hidden="true">${index + 1} / ${count}</span>${slide}</div>`,
  )}</div><ul class="stops" role="list">${slides.map(
    (_, index) =>
      html`<li><a${href(`#${id}-s${index + 1}`)} target="_self"><span class="hidden">Slide </span>${index + 1}</a></li>`,
  )}</ul></div>`;
}
