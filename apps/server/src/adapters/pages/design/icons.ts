import { type Html, html } from './html.ts';

const paths = {
  check: html`<path d="M4 12.5l5 5L20 6.5"/>`,
  cross: html`<path d="M6 6l12 12M18 6L6 18"/>`,
  alert: html`<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.4v.1"/>`,
  info: html`<circle cx="12" cy="12" r="9"/><path d="M12 11.5v5M12 7.6v.1"/>`,
  back: html`<path d="M19 12H5M11 6l-6 6 6 6"/>`,
  next: html`<path d="M5 12h14M13 6l6 6-6 6"/>`,
  verified: html`<path d="M12 3l2.4 1.8 3-.2.9 2.9 2.5 1.7-1.1 2.8 1.1 2.8-2.5 1.7-.9 2.9-3-.2L12 21l-2.4-1.8-3 .2-.9-2.9-2.5-1.7L4.3 12 3.2 9.2l2.5-1.7.9-2.9 3 .2z"/><path d="M8.7 12.2l2.3 2.2 4.3-4.6"/>`,
  lock: html`<path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3"/>`,
  bell: html`<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2.2 2.2 0 0 0 4 0"/>`,
  reply: html`<path d="M20 11.5c0 4-3.6 7-8 7-1.2 0-2.3-.2-3.3-.6L4 19.5l1.3-3.8A6.6 6.6 0 0 1 4 11.5c0-4 3.6-7 8-7s8 3 8 7z"/>`,
  repost: html`<path d="M4 9l3-3.5L10 9M7 6v9a2.5 2.5 0 0 0 2.5 2.5H13M20 15l-3 3.5-3-3.5M17 18V9a2.5 2.5 0 0 0-2.5-2.5H11"/>`,
  quote: html`<path d="M9.5 7C6.5 8 5 10 5 13v4h5v-5H7.5M18.5 7C15.5 8 14 10 14 13v4h5v-5h-2.5"/>`,
  like: html`<path d="M12 20C6.5 16 4 13 4 9.7A4.2 4.2 0 0 1 8.2 5.5c1.6 0 3 .8 3.8 2.1.8-1.3 2.2-2.1 3.8-2.1A4.2 4.2 0 0 1 20 9.7C20 13 17.5 16 12 20z"/>`,
  promoted: html`<path d="M4 5h16v14H4zM9 15l6-6M10 9h5v5"/>`,
  outward: html`<path d="M8 6h10v10M18 6L6 18"/>`,
  calendar: html`<path d="M5 6h14v14H5zM5 10.5h14M9 3.5v4M15 3.5v4"/>`,
  place: html`<path d="M12 21c-4-4.5-6-7.8-6-11a6 6 0 0 1 12 0c0 3.2-2 6.5-6 11z"/><circle cx="12" cy="10" r="2.2"/>`,
};

/** Renders a decorative icon next to a text that says the same. */
export function icon(name: keyof typeof paths): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${paths[name]}</svg>`;
}
