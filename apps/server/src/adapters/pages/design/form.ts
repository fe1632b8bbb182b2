import { action, href } from './address.ts';
import { attributes } from './attributes.ts';
import { type Html, html } from './html.ts';

/** Visual weight of a button. `primary` once per form; `danger` for irreversible actions. */
export type Emphasis = 'primary' | 'plain' | 'danger' | 'quiet';

/** Label and submitted values of a button. */
export interface ButtonOptions {
  readonly label: Html | string;
  readonly emphasis?: Emphasis;
  /** Extra form values submitted by this button. */
  readonly name?: string;
  readonly value?: string;
  /** The id of the form, if the button is outside of it. */
  readonly form?: string;
}

/** Renders a submit button. */
export function button({ label, emphasis = 'plain', name, value, form }: ButtonOptions): Html {
  return html`<button class="button ${emphasis}"${attributes({ type: 'submit', name, value, form })}>${label}</button>`;
}

/** Renders a link that looks like a button: it navigates and changes nothing. */
export function linkButton(path: string, label: string, emphasis: Emphasis = 'plain'): Html {
  return html`<a class="button ${emphasis}"${href(path)}>${label}</a>`;
}

/** Hidden fields of a form. */
export type Hidden = Readonly<Record<string, string>>;

/** Properties of a form besides its fields. */
export interface FormOptions {
  readonly action: string;
  readonly hidden: Hidden;
  readonly id?: string;
  readonly class?: string;
}

/** Renders a form, sent with POST. */
export function form(options: FormOptions, content: Html): Html {
  const { hidden, id, class: name } = options;
  return html`<form${action(options.action)}${attributes({ id, class: name })}>${Object.entries(hidden).map(
    ([field, value]) => html`<input type="hidden"${attributes({ name: field, value })}>`,
  )}${content}</form>`;
}
