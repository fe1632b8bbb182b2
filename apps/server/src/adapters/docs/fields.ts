/** Renders lists of parameters and members. */
import {
  defaultOf,
  descriptionOf,
  type Field,
  innerType,
  isNullable,
  isRequired,
  type JsonSchema,
  membersOf,
  wireTypeOf,
} from '@broadside/core';
import type * as z from 'zod';
import { type Html, html, prose } from '../pages/design/html.ts';
import { plain } from './example-request.ts';

/** Renders the parameters of a call: path parameters first, then the required ones. */
export function parameterList(fields: readonly Field[], inPath: readonly string[] = []): Html {
  const ordered = [...fields].sort(([one, a], [other, b]) => rank(one, a, inPath) - rank(other, b, inPath));
  return html`<dl class="fields">${ordered.map(([name, schema]) => {
    const words = inPath.includes(name) ? 'in the path' : isRequired(schema) ? 'required' : undefined;
    return html`<div><dt><code>${breakable(name)}</code> <span class="type">${typeWords(schema)}</span>${words && html` <span class="must">${words}</span>`}</dt><dd>${details(schema, parameterList)}</dd></div>`;
  })}</dl>`;
}

/** Renders the members of a response. */
export function memberList(fields: readonly Field[]): Html {
  return html`<dl class="fields">${fields.map(
    ([name, schema]) =>
      html`<div><dt><code>${breakable(name)}</code> <span class="type">${typeWords(schema)}${isNullable(schema) ? ' or null' : ''}</span></dt><dd>${details(schema, memberList)}</dd></div>`,
  )}</dl>`;
}

function rank(name: string, schema: z.ZodType, inPath: readonly string[]): number {
  if (inPath.includes(name)) return 0;
  return isRequired(schema) ? 1 : 2;
}

/** Allows long names to break after an underscore. */
function breakable(name: string): Html {
  return html`${name.split(/(?<=_)/).map((word, index) => html`${index > 0 && html`<wbr>`}${word}`)}`;
}

/** Describes the type of a field in a few words. */
function typeWords(schema: z.ZodType): string {
  const type = wireTypeOf(schema);
  if (!type && isArray(schema)) return membersOf(schema) ? 'list of objects' : 'list';
  if (!type) return 'object';
  switch (type.kind) {
    case 'text':
      return 'text';
    case 'long':
      return '64-bit number';
    case 'int':
    case 'decimal':
      return 'number';
    case 'boolean':
      return 'true or false';
    case 'time':
    case 'instant':
      return 'time';
    case 'enum':
      return 'one of';
    case 'list':
      return type.values ? 'list of' : 'list';
    case 'members':
      return 'object';
    case 'items':
      return 'list of objects';
  }
}

function isArray(schema: z.ZodType): boolean {
  const inner = innerType(schema);
  return 'element' in schema || (inner !== undefined && isArray(inner));
}

/** @param listed renders the members of the field, if it has any */
function details(schema: z.ZodType, listed: (fields: readonly Field[]) => Html): Html {
  const type = wireTypeOf(schema);
  const members = type ? undefined : membersOf(schema);
  const text = descriptionOf(schema);
  const standing = defaultOf(schema);
  const values = type?.values ?? numbers(type?.json);
  const chips = html`${values.map((value) => html`<code>${value}</code> `)}`;
  return html`${text && prose(text)}
  ${standing !== undefined && html` <span class="default">Default <code>${plain(standing)}</code>.</span>`}
  ${values.length > 0 && values.length <= 14 && html`<p class="values">${chips}</p>`}
  ${values.length > 14 && html`<details class="values"><summary>${values.length} values</summary>${chips}</details>`}
  ${members && listed(members.fields)}`;
}

function numbers(json: JsonSchema | undefined): readonly string[] {
  const values = json?.['enum'];
  return Array.isArray(values) ? values.map(String) : [];
}
