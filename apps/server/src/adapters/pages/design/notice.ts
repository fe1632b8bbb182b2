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
 * A prominent message. One about what the reader has just done `takesFocus`, so that a screen reader starts
 * there; others are read in document order.
 */
export function notice(
  kind: NoticeKind,
  content: Html | string,
  { id, takesFocus = false }: { readonly id?: string; readonly takesFocus?: boolean } = {},
): Html {
  const role = kind === 'error' ? 'alert' : 'status';
  const focus = takesFocus ? html` role="${role}" tabindex="-1" autofocus` : '';
  const body = typeof content === 'string' ? html`<p>${content}</p>` : content;
  return html`<div class="notice ${kind}"${attributes({ id })}${focus}>${icon(signs[kind])}<div>${body}</div></div>`;
}

/** A validation error of a field. */
export interface FieldError<F extends string = string> {
  readonly field: F;
  readonly message: string;
}

/** Renders all errors of a form, each as a link to its field. It takes the focus. */
export function errorSummary(errors: readonly FieldError[]): Html {
  const title = errors.length === 1 ? 'Please correct one error' : `Please correct ${errors.length} errors`;
  return notice(
    'error',
    html`<h2>${title}</h2><p>Nothing has been saved yet.</p><ul>${errors.map(
      ({ field, message }) => html`<li><a${href(`#${field}`)}>${message}</a></li>`,
    )}</ul>`,
    { takesFocus: true },
  );
}
