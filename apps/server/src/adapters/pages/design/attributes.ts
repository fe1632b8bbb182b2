import { type Html, html } from './html.ts';

/**
 * Attributes without URLs, style or code. They are a closed list, so that a view cannot smuggle in one of those; URLs go
 * through `href` and `action`.
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

/** Attributes passed through to the control. `true` renders the bare name; `undefined` and `false` omit the attribute. */
export type Attributes = { readonly [name in AttributeName]?: string | number | boolean | undefined };

/** Renders the attributes, each with a leading space. */
export function attributes(values: Attributes): Html {
  return html`${Object.entries(values).map(([name, value]) =>
    value === undefined || value === false ? '' : value === true ? html` ${name}` : html` ${name}="${value}"`,
  )}`;
}
