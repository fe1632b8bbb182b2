import { type Html, html } from './html.ts';

/**
 * Attributes that hold no address, no style and no code. They are a closed list, so that a view cannot write one of those by
 * this way; addresses go through `href` and `action`.
 */
type AttributeName =
  | 'aria-describedby'
  | 'aria-invalid'
  | 'autocapitalize'
  | 'autocomplete'
  | 'autocorrect'
  | 'autofocus'
  | 'checked'
  | 'class'
  | 'dir'
  | 'form'
  | 'id'
  | 'inputmode'
  | 'name'
  | 'required'
  | 'rows'
  | 'spellcheck'
  | 'type'
  | 'value';

/** Attributes that a component passes through to its control. `true` renders the bare name; `undefined` and `false` omit the attribute. */
export type Attributes = { readonly [name in AttributeName]?: string | number | boolean | undefined };

/** The attributes, each with a space before it. */
export function attributes(values: Attributes): Html {
  return html`${Object.entries(values).map(([name, value]) =>
    value === undefined || value === false ? '' : value === true ? html` ${name}` : html` ${name}="${value}"`,
  )}`;
}
