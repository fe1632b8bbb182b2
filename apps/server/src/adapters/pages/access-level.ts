import type { AccessLevel } from '@broadside/core/resources/apps';
import { type Html, html } from './design/html.ts';

/** Display names of the access levels. */
export const accessLevelNames: Readonly<Record<AccessLevel, string>> = { read: 'Read', write: 'Read and write' };

/** Renders the level as a tag. */
export function accessLevel(level: AccessLevel): Html {
  return html`<span class="level">${accessLevelNames[level]}</span>`;
}
