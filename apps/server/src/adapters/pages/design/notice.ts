import { href } from './address.ts';
import { attributes } from './attributes.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';

/** Severity of a notice: success, information or error. */
export type NoticeKind = 'done' | 'info' | 'warning' | 'error';

/** Feedback shown on a page about the preceding action. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly text: string;
}

const signs = { done: 'check', info: 'info', warning: 'alert', error: 'alert' } as const;

/**
 * A message that stands out. One that `answers` what the reader has just done takes the focus, so that a screen reader begins
 * there; others are read in their place.
 */
export function notice(
  kind: NoticeKind,
  content: Html | string,
  { id, answers = false }: { readonly id?: string; readonly answers?: boolean } = {},
): Html {
  const role = kind === 'error' ? 'alert' : 'status';
  const focus = answers ? html` role="${role}" tabindex="-1" autofocus` : '';
  const body = typeof content === 'string' ? html`<p>${content}</p>` : content;
  return html`<div class="notice ${kind}"${attributes({ id })}${focus}>${icon(signs[kind])}<div>${body}</div></div>`;
}

/** A fault of a field. */
export interface Fault<F extends string = string> {
  readonly field: F;
  readonly message: string;
}

/** All faults of a form, each a link to its field. It takes the focus. */
export function faultSummary(faults: readonly Fault[]): Html {
  const title = faults.length === 1 ? 'One thing needs to be mended' : `${faults.length} things need to be mended`;
  return notice(
    'error',
    html`<h2>${title}</h2><p>Nothing has been saved yet.</p><ul>${faults.map(
      ({ field, message }) => html`<li><a${href(`#${field}`)}>${message}</a></li>`,
    )}</ul>`,
    { answers: true },
  );
}
