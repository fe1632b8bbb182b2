import type { Segment } from '../../../post-view/post-view.ts';
import { href, outwardLink } from '../design/address.ts';
import { type Html, html } from '../design/html.ts';
import { paths } from '../paths.ts';

/** Renders the text of a post. Each link and name is isolated, so that no text around it can turn or join its letters. */
export function textOf(segments: readonly Segment[], lang: string | null): Html {
  return html`<div class="said" dir="auto"${lang !== null && LANGUAGE.test(lang) && html` lang="${lang}"`}>${segments.map(segmentOf)}</div>`;
}

/** Returns whether there is something to read. */
export function hasText(segments: readonly Segment[]): boolean {
  return segments.some(({ text }) => text.trim() !== '');
}

const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}$/;

function segmentOf(segment: Segment): Html {
  switch (segment.kind) {
    case 'text':
      return html`${segment.text}`;
    case 'link':
      return html`<a dir="ltr"${outwardLink(segment.url)}>${segment.text}</a>`;
    case 'mention':
      return html`<a dir="ltr"${href(paths.person(segment.screen_name))}>${segment.text}</a>`;
    case 'tag':
      return html`<bdi class="tag">${segment.text}</bdi>`;
  }
}
