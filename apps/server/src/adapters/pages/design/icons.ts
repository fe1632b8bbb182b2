import { type Html, html } from './html.ts';

const paths = {
  check: html`<path d="M4 12.5l5 5L20 6.5"/>`,
  cross: html`<path d="M6 6l12 12M18 6L6 18"/>`,
  alert: html`<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.4v.1"/>`,
  info: html`<circle cx="12" cy="12" r="9"/><path d="M12 11.5v5M12 7.6v.1"/>`,
  back: html`<path d="M19 12H5M11 6l-6 6 6 6"/>`,
};

/** Renders a decorative icon next to a text that says the same. */
export function icon(name: keyof typeof paths): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${paths[name]}</svg>`;
}
