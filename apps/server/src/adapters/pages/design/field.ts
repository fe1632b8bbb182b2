import { type Attributes, attributes } from './attributes.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';

/** Properties shared by all fields. The id of the control is its name, because names are unique within a page. */
interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly hint?: Html | string | undefined;
  /** Validation error of the value. */
  readonly faults?: readonly string[] | undefined;
}

/** A field for text. */
export interface TextFieldOptions extends FieldOptions {
  readonly value?: string | undefined;
  /** A sign before the value that does not belong to it. */
  readonly prefix?: string;
  /** Lines, where the text may have several. */
  readonly rows?: number;
  readonly control?: Attributes;
}

/** The ids of what describes a control, for `aria-describedby`. */
function describedBy({ name, hint, faults = [] }: FieldOptions, ...more: readonly (string | undefined)[]) {
  const ids = [...more, hint ? `${name}-hint` : undefined, faults.length > 0 ? `${name}-fault` : undefined];
  return ids.filter((id) => id !== undefined).join(' ') || undefined;
}

function hintOf({ name, hint }: FieldOptions): Html | undefined {
  return hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : undefined;
}

function faultsOf({ name, faults = [] }: FieldOptions): Html | undefined {
  if (faults.length === 0) return undefined;
  return html`<div id="${name}-fault">${faults.map(
    (fault) => html`<p class="fault">${icon('alert')}<span><span class="hidden">Error: </span>${fault}</span></p>`,
  )}</div>`;
}

/** A labelled field for text, with its hint and its faults. */
export function textField(options: TextFieldOptions): Html {
  const { name, label, value, prefix, rows, control = {}, faults = [] } = options;
  const given = attributes({
    ...control,
    id: name,
    name,
    class: control.class ? `input ${control.class}` : 'input',
    'aria-describedby': describedBy(options, control['aria-describedby']?.toString()),
    'aria-invalid': faults.length > 0 ? 'true' : control['aria-invalid'],
  });
  // A parser drops a line break right after the tag, so the tag gets one that may be dropped.
  const input = rows
    ? html`<textarea${given}${attributes({ rows })}>\n${value}</textarea>`
    : html`<input${given}${attributes({ value })}>`;
  return html`<div class="field"><label for="${name}">${label}</label>${hintOf(options)}${faultsOf(options)}${
    prefix ? html`<div class="prefixed"><span aria-hidden="true">${prefix}</span>${input}</div>` : input
  }</div>`;
}

/** One thing to choose, with what it means. */
interface Choice {
  readonly label: string;
  readonly hint: Html | string;
}

function choice(id: string, { label, hint }: Choice, control: Attributes): Html {
  const hintId = `${id}-meaning`;
  return html`<div class="choice"><input${attributes({ ...control, id, 'aria-describedby': hintId })}><label for="${id}">${label}</label><p class="hint" id="${hintId}">${hint}</p></div>`;
}

/** A box to tick. The form carries `name=true` when it is ticked, and nothing otherwise. */
export function checkbox(options: Choice & { readonly name: string; readonly checked: boolean }): Html {
  const { name, checked } = options;
  return choice(name, options, { type: 'checkbox', name, value: 'true', checked });
}

/** One of a few. */
export interface RadioOptions<V extends string> extends FieldOptions {
  readonly chosen: V;
  readonly options: readonly (Choice & { readonly value: V })[];
}

/** A group of which one is chosen. The id of the first is the name, so that a summary of faults can lead there. */
export function radioGroup<V extends string>(group: RadioOptions<V>): Html {
  const { name, label, chosen, options } = group;
  const described = attributes({ 'aria-describedby': describedBy(group) });
  return html`<fieldset${described}><legend>${label}</legend>${hintOf(group)}${faultsOf(group)}<div>${options.map(
    (option, index) =>
      choice(index === 0 ? name : `${name}-${option.value}`, option, {
        type: 'radio',
        name,
        value: option.value,
        checked: option.value === chosen,
      }),
  )}</div></fieldset>`;
}

/** Several boxes under one heading. */
export function choices(label: string, boxes: readonly Html[]): Html {
  return html`<fieldset><legend>${label}</legend><div>${boxes}</div></fieldset>`;
}
