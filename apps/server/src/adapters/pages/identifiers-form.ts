import { MAX_DEVICES, MAX_PHONE_NUMBERS } from '@broadside/core/resources/users';
import { type TextFieldOptions, textField } from './design/field.ts';
import { button, form } from './design/form.ts';
import { type Html, html } from './design/html.ts';
import type { FieldError } from './design/notice.ts';
import { paths } from './paths.ts';

/** Values of the form: lists with an item on each line. */
export interface IdentifierValues {
  readonly email: string;
  readonly phone_numbers: string;
  readonly devices: string;
}

/** A field of the form. */
export type IdentifiersField = keyof IdentifierValues;

/** Content of the form. */
export interface IdentifiersView {
  readonly csrf: string;
  readonly values: IdentifierValues;
  readonly errors: readonly FieldError<IdentifiersField>[];
}

/** Renders the form in which a person gives and removes their e-mail address, telephone numbers and devices. */
export function identifiersForm({ csrf, values, errors }: IdentifiersView): Html {
  const field = (name: IdentifiersField, options: Omit<TextFieldOptions, 'name' | 'value' | 'errors'>) =>
    textField({
      ...options,
      name,
      value: values[name],
      errors: errors.filter((error) => error.field === name).map(({ message }) => message),
      control: { autocapitalize: 'none', spellcheck: 'false', dir: 'ltr', ...options.control },
    });
  const rowsOf = (text: string) => Math.min(12, Math.max(2, text.split('\n').length + 1));
  return html`<p class="soft">Advertisers can upload lists of hashed addresses, numbers and devices of people whom they know already. What you
give here is compared with such lists. It is shown to nobody, and you can remove it at any time.</p>
${form(
  { action: paths.identifiers, hidden: { csrf }, class: 'stack' },
  html`${field('email', {
    label: 'E-mail address',
    hint: 'May be empty.',
    control: { type: 'text', inputmode: 'email', autocomplete: 'email' },
  })}
${field('phone_numbers', {
  label: 'Telephone numbers',
  hint: html`One on each line, up to ${MAX_PHONE_NUMBERS}, with + and the code of the country: <code>+1 500 555 0100</code>.`,
  rows: rowsOf(values.phone_numbers),
  control: { inputmode: 'tel', autocomplete: 'off', class: 'code' },
})}
${field('devices', {
  label: 'Devices',
  hint: html`Advertising ids and Android ids, one on each line, up to ${MAX_DEVICES}. Your device shows its id in its privacy settings, such as
<code>4b61639e-47cc-4056-a16a-c8217e029462</code>.`,
  rows: rowsOf(values.devices),
  control: { autocomplete: 'off', class: 'code' },
})}
<div class="actions">${button({ label: 'Save', emphasis: 'primary' })}</div>`,
)}`;
}
