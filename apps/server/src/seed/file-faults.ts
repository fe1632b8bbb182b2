/** Says what is wrong with the form of a seed file, and what would be right. */
import * as z from 'zod';
import { SeedFile } from './file-format.ts';
import type { FileIssue, FilePath } from './file-issue.ts';
import { meant, noMember, shown } from './file-words.ts';

/** The beginning of a sentence of the library, where the schema says nothing. */
const OWN_WORDS = /^Invalid /;

/** The issues behind one of the schema. @param at the place of what was read, in the file */
export function issuesOfSchema(issue: z.core.$ZodIssue, at: FilePath = []): FileIssue[] {
  const path = [...at, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
  const schema = schemaAt(path);
  if (issue.code === 'unrecognized_keys') {
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    return issue.keys.map((key) => ({ path: [...path, key], message: noMember(key, known) }));
  }
  const right = schema && rightOf(schema);
  if (schema === undefined || right === undefined) return [{ path, message: issue.message }];
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return [{ path, message: `this is missing; it is ${right}` }];
  if (issue.code === 'custom' || (issue.code === 'invalid_format' && !OWN_WORDS.test(issue.message)))
    return [{ path, message: issue.message }];
  return [{ path, message: `this is ${right}, not ${shownAs(schema, issue.input)}${hintOf(schema, issue.input)}` }];
}

/** The schema of a place, without what makes it optional. */
function schemaAt(path: FilePath): z.ZodType | undefined {
  let schema: z.ZodType | undefined = SeedFile;
  for (const part of path) {
    if (schema instanceof z.ZodObject) schema = plain(schema.shape[part]);
    else if (schema instanceof z.ZodArray) schema = plain(schema.element);
    else return undefined;
  }
  return schema;
}

function plain(schema: unknown): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return plain(schema.unwrap());
  return schema instanceof z.ZodType ? schema : undefined;
}

/** What stands at a place: `a text of 8 to 200 characters: the password`. */
function rightOf(schema: z.ZodType): string | undefined {
  const form = formOf(schema);
  const { description } = schema;
  return form && description ? `${form} (${description})` : form;
}

function formOf(schema: z.ZodType): string | undefined {
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(', ')}`;
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodArray) return `a list${rangeOf(limitsOf(schema), 'items')}`;
  if (schema instanceof z.ZodObject) return `an object with the members ${Object.keys(schema.shape).join(', ')}`;
  if (schema instanceof z.ZodURL)
    return 'a URL that begins with http:// or https://, such as https://books.example.com';
  if (schema instanceof z.ZodISODateTime) return 'a time such as 2026-11-01T09:00:00Z';
  if (schema instanceof z.ZodNumber)
    return `a whole number${rangeOf({ min: schema.minValue, max: schema.maxValue }, '')}`;
  if (schema instanceof z.ZodString)
    return `a text${rangeOf({ min: schema.minLength, max: schema.maxLength }, 'characters')}`;
  return undefined;
}

interface Limits {
  readonly min: number | null;
  readonly max: number | null;
}

/** The limits of a list, from its checks. */
function limitsOf(schema: z.ZodArray): Limits {
  let limits: Limits = { min: null, max: null };
  for (const check of schema.def.checks ?? []) {
    const { def } = check._zod;
    if ('minimum' in def && typeof def.minimum === 'number') limits = { ...limits, min: def.minimum };
    if ('maximum' in def && typeof def.maximum === 'number') limits = { ...limits, max: def.maximum };
  }
  return limits;
}

function rangeOf({ min, max }: Limits, unit: string): string {
  const of = unit === '' ? '' : ' of';
  const what = unit === '' ? '' : ` ${unit}`;
  if (max !== null)
    return unit === '' || min !== null
      ? `${unit === '' ? ' from' : of} ${min} to ${max}${what}`
      : ` of up to ${max}${what}`;
  return min !== null && min > 1 ? `${of} at least ${min}${what}` : '';
}

/** It may be a password, so a text is not repeated. */
function shownAs(schema: z.ZodType, input: unknown): string {
  if (schema instanceof z.ZodString && typeof input === 'number') return 'a number';
  if (schema instanceof z.ZodString && typeof input === 'string') return `one of ${input.length}`;
  if (schema instanceof z.ZodArray && Array.isArray(input)) return `one of ${input.length}`;
  return shown(input);
}

function hintOf(schema: z.ZodType, input: unknown): string {
  if (schema instanceof z.ZodEnum) return typeof input === 'string' ? meant(input, schema.options.map(String)) : '';
  const isPlain = typeof input === 'number' || typeof input === 'boolean';
  if (schema instanceof z.ZodString && isPlain) return '; put it in quotes';
  if (schema instanceof z.ZodArray && (input === null || input === undefined)) return '; [] is a list without items';
  return '';
}
