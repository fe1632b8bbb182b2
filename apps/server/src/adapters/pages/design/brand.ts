import { html } from './html.ts';

/** The logo as an inline page icon, without a separate request. */
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%23b3331b'/%3E%3Cpath d='M8 8h16v5H8zM8 16h7v2H8zM8 21h7v2H8zM18 16h6v7h-6z' fill='%23fff'/%3E%3C/svg%3E";

/** The logo shown next to the name. */
export const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M8 8h16v5H8zM8 16h7v2H8zM8 21h7v2H8zM18 16h6v7h-6z"/></svg>`;
