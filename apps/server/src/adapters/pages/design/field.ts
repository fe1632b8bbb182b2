import { type Attributes, attributes } from './attributes.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';

/** Properties shared by all fields. The id of the control is its name, because names are unique within a page. */
interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly hint?: Html | string | undefined;
  /** Validation error of the value. */
  readonly errors?: readonly string[] | undefined;
}

/** Properties of a text field. */
export interface TextFieldOptions extends FieldOptions {
  readonly value?: string | undefined;
  /** Symbol shown before the value but not part of it. */
  readonly prefix?: string;
  /** Number of lines, for multi-line text. */
  readonly rows?: number;
  readonly control?: Attributes;
}

/** Returns the `aria-describedby` attribute of a control: the ids of its hint and errors. */
function describedBy({ name, hint, errors = [] }: FieldOptions, ...more: readonly (string | undefined)[]) {
  const ids = [...more, hint ? `${name}-hint` : undefined, errors.length > 0 ? `${name}-fault` : undefined];
  return ids.filter((id) => id !== undefined).join(' ') || undefined;
}

function hintOf({ name, hint }: FieldOptions): Html | undefined {
  return hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : undefined;
}

function errorsOf({ name, errors = [] }: FieldOptions): Html | undefined {
  if (errors.length === 0) return undefined;
  return html`<div id="${name}-fault">${errors.map(
    (error) => html`<p class="fault">${icon('alert')}<span><span class="hidden">Error: </span>${error}</span></p>`,
  )}</div>`;
}

/** Renders a labelled text field, with its hint and its errors. */
export function textField(options: TextFieldOptions): Html {
  const { name, label, value, prefix, rows, control = {}, errors = [] } = options;
  const given = attributes({
    ...control,
    id: name,
    name,
    class: control.class ? `input ${control.class}` : 'input',
    'aria-describedby': describedBy(options, control['aria-describedby']?.toString()),
    'aria-invalid': errors.length > 0 ? 'true' : control['aria-invalid'],
  });
  // A parser drops a line break right after the tag, so an extra one is added for it to drop.
  const input = rows
    ? html`<textarea${given}${attributes({ rows })}>\n${value}</textarea>`
    : html`<input${given}${attributes({ value })}>`;
  return html`<div class="field"><label for="${name}">${label}</label>${hintOf(options)}${errorsOf(options)}${
    prefix ? html`<div class="prefixed"><span aria-hidden="true">${prefix}</span>${input}</div>` : input
  }</div>`;
}

/** One choice, with an explanation. */
interface Choice {
  readonly label: string;
  readonly hint: Html | string;
}

function choice(id: string, { label, hint }: Choice, control: Attributes): Html {
  const hintId = `${id}-meaning`;
  return html`<div class="choice"><input${attributes({ ...control, id, 'aria-describedby': hintId })}><label for="${id}">${label}</label><p class="hint" id="${hintId}">${hint}</p></div>`;
}

/** Renders a checkbox. The form carries `name=true` when it is checked, and nothing otherwise. */
export function checkbox(options: Choice & { readonly name: string; readonly checked: boolean }): Html {
  const { name, checked } = options;
  return choice(name, options, { type: 'checkbox', name, value: 'true', checked });
}

/** Renders a radio button. */
export interface RadioOptions<V extends string> extends FieldOptions {
  readonly chosen: V;
  readonly options: readonly (Choice & { readonly value: V })[];
}

/** Renders a radio group. The id of the first button is the name, so that an error summary can link to it. */
export function radioGroup<V extends string>(group: RadioOptions<V>): Html {
  const { name, label, chosen, options } = group;
  const described = attributes({ 'aria-describedby': describedBy(group) });
  return html`<fieldset${described}><legend>${label}</legend>${hintOf(group)}${errorsOf(group)}<div>${options.map(
    (option, index) =>
      choice(index === 0 ? name : `${name}-${option.value}`, option, {
        type: 'radio',
        name,
        value: option.value,
        checked: option.value === chosen,
      }),
  )}</div></fieldset>`;
}

/** Renders several checkboxes under one heading. */
export function choices(label: string, boxes: readonly Html[]): Html {
  return html`<fieldset><legend>${label}</legend><div>${boxes}</div></fieldset>`;
}
