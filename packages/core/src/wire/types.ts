/**
 * The wire's value types as zod schemas. Each reads the values that any adapter may pass (text from a query or form,
 * JSON values, typed values from TypeScript callers), returns one typed value, and carries its JSON Schema for the
 * derived documents.
 */
import * as z from 'zod';
import type { ErrorName } from '../errors/error-name.ts';
import { once } from '../once.ts';
import { INT64_MAX, INT64_MIN } from './json.ts';
import { MAX_NUMBER_LENGTH } from './json-bounds.ts';
import { show } from './show.ts';
import { parseInstant, parseTimestamp } from './timestamp.ts';

/** A JSON Schema, as plain data. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Facts about a wire type for the derived adapters. */
export interface WireType {
  readonly kind:
    | 'text'
    | 'long'
    | 'int'
    | 'decimal'
    | 'boolean'
    | 'time'
    | 'instant'
    | 'enum'
    | 'list'
    /** An object that is described by its JSON Schema alone. */
    | 'members'
    /** An array that is described by its JSON Schema alone. Only JSON can express it. */
    | 'items';
  /** JSON Schema of the value on the wire. */
  readonly json: JsonSchema;
  /** The values of an enumeration, or of a list of one. */
  readonly values?: readonly string[];
  /** The type of the elements of a list. */
  readonly item?: WireType;
  /** Text for which a whole number is accepted and read as its digits. */
  readonly digits?: true;
  /** An empty value on an update removes the field (specification A, shared conventions 6). */
  readonly removable?: true;
  /** The value is secret: errors do not repeat it. */
  readonly secret?: true;
  /** The echo of a call has the value as it was sent, without what reading it fills in. */
  readonly asSent?: true;
  /** The error for a value outside the enumeration, where it has one of its own. */
  readonly error?: ErrorName;
}

const wireTypes = z.registry<WireType>();

/** Returns the wire type of a schema, found through `optional`, `nullable` and defaults. */
export function wireTypeOf(schema: z.ZodType): WireType | undefined {
  const known = wireTypes.get(schema);
  if (known?.kind) return known;
  const inner = innerType(schema);
  return inner && wireTypeOf(inner);
}

/** Makes a schema a wire type. */
export function asWireType<Schema extends z.ZodType>(schema: Schema, type: WireType): Schema {
  wireTypes.add(schema, type);
  return schema;
}

/** Returns the schema inside `optional`, `nullable` or a default; `undefined` when there is none. */
export function innerType(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    const inner: unknown = schema.def.innerType;
    return inner instanceof z.ZodType ? inner : undefined;
  }
  return undefined;
}

/** Returns the public description of a schema, its own or that of the schema inside. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  const inner = innerType(schema);
  return schema.description ?? (inner && descriptionOf(inner));
}

/** The reason for rejecting a value; `missing` and `illegal` have codes of their own in the catalogue. */
export interface Rejection {
  readonly reason: 'invalid' | 'missing' | 'illegal';
  /** A description of valid values, as in `Expected time, got "x" for start_time`. */
  readonly expected: string;
  readonly details?: string;
  /** The names that an object has, where it was sent with another one. */
  readonly members?: readonly string[];
  /** Replaces INVALID_PARAMETER. */
  readonly error?: ErrorName;
}

class Rejected {
  readonly rejection: Rejection;
  constructor(rejection: Rejection) {
    this.rejection = rejection;
  }
}

function rejected(expected: string, details?: string, reason: Rejection['reason'] = 'invalid'): Rejected {
  return new Rejected({ reason, expected, ...(details === undefined ? {} : { details }) });
}

/** Returns the rejection behind a zod issue that a wire type raised. */
export function rejectionOf(issue: z.core.$ZodIssue): Rejection | undefined {
  const rejection: unknown = issue.code === 'custom' ? issue.params?.['rejection'] : undefined;
  return isRejection(rejection) ? rejection : undefined;
}

function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && 'reason' in value && 'expected' in value;
}

/** The schema of a wire type. An interface, so that declarations of operations name it and do not repeat its structure. */
export interface Wire<Out, In> extends z.ZodPipe<z.ZodCustom<In, In>, z.ZodTransform<Out, In>> {}

/** The functions in the schemas of wire types. A schema that is made of another by adding to it has that one's. */
const readers = z.registry<{ readonly read: (raw: unknown) => unknown }>();

/**
 * Returns the function in a schema that does nothing but call it: the same value for a fraction of the cost. It returns
 * {@link REJECTED} for what the schema rejects; the schema says why.
 */
export function readerOf(schema: z.ZodType): ((raw: unknown) => unknown) | undefined {
  // Neither is asked about a value that was sent.
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    const inner = innerType(schema);
    return inner && !hasChecks(schema) ? readerOf(inner) : undefined;
  }
  const known = schema instanceof z.ZodPipe && !hasChecks(schema) ? readers.get(schema) : undefined;
  if (!known) return undefined;
  const { read } = known;
  return (raw) => {
    const value = read(raw);
    return value instanceof Rejected ? REJECTED : value;
  };
}

/** See {@link readerOf}. */
export const REJECTED: unique symbol = Symbol('rejected');

function hasChecks({ def }: z.ZodType): boolean {
  return def.checks !== undefined && def.checks.length > 0;
}

function define<Out, In>(type: WireType, expected: string, read: (raw: unknown) => Out | Rejected): Wire<Out, In> {
  return z
    .custom<In>()
    .transform((raw, context): Out => {
      const value = raw === undefined ? rejected(expected, undefined, 'missing') : read(raw);
      if (!(value instanceof Rejected)) return value;
      const { rejection } = value;
      context.issues.push({ code: 'custom', input: raw, message: rejection.expected, params: { rejection } });
      return z.NEVER;
    })
    .register(wireTypes, type)
    .register(readers, { read });
}

// A NUL would truncate text in the store, and half a surrogate pair has no UTF-8 form.
const ILLEGAL_TEXT = /\0|\p{Surrogate}/u;
/** Finds those and halves of pairs, in a fraction of the time where a text has neither, as nearly all have. */
const MAYBE_ILLEGAL = /[\0\ud800-\udfff]/;

/** Returns whether a store preserves a text unchanged. */
export function isStorable(value: string): boolean {
  return !MAYBE_ILLEGAL.test(value) || !ILLEGAL_TEXT.test(value);
}

/** Text of `min` to `max` characters (code points). */
export function text(options?: TextOptions): Wire<string, string> {
  return options === undefined ? plainText() : textOf(options);
}

// Schemas without options are shared: nothing changes one, and `describe` makes another.
const plainText = once(() => textOf({}));

function textOf({ min = 1, max = 255, pattern, format, secret }: TextOptions): Wire<string, string> {
  const expected = format ?? `text of ${min} to ${max} characters`;
  const json = { type: 'string', minLength: min, maxLength: max, ...(pattern ? { pattern: pattern.source } : {}) };
  const limits = { min, max, pattern };
  return define<string, string>({ kind: 'text', json, ...(secret ? { secret } : {}) }, expected, (raw) =>
    readText(raw, expected, limits),
  );
}

/**
 * A position in a list. Our choice: an empty one is as absent, since a loop over the pages sends the first position, of which
 * it knows nothing, like all others.
 */
export const pagePosition = once(() => {
  const [max, expected] = [2000, 'text of up to 2000 characters'];
  const json = { type: 'string', minLength: 0, maxLength: max };
  return define<string | undefined, string>({ kind: 'text', json }, expected, (raw) =>
    raw === '' ? undefined : readText(raw, expected, { min: 1, max }),
  );
});

/** Text of up to 255 characters; a whole number in its place is read as its digits. */
export const textOrInteger = once(() => {
  const expected = 'text of 1 to 255 characters';
  const json = { type: 'string', minLength: 1, maxLength: 255 };
  return define<string, string | bigint | number>({ kind: 'text', json, digits: true }, expected, (raw) => {
    const isInteger = typeof raw === 'bigint' || Number.isSafeInteger(raw);
    return readText(isInteger ? `${raw}` : raw, expected, { min: 1, max: 255 });
  });
});

function readText(
  raw: unknown,
  expected: string,
  { min, max, pattern }: { readonly min: number; readonly max: number; readonly pattern?: RegExp | undefined },
): string | Rejected {
  if (typeof raw !== 'string') return rejected(expected);
  // A character is one or two code units. What is longer than any valid text is not searched through.
  if (raw.length > 2 * max) return rejected(expected, 'invalid length');
  if (!isStorable(raw)) return rejected(expected, 'illegal characters', 'illegal');
  // A string never has more code points than code units, so most need no counting.
  if (raw.length < min || (raw.length > max && [...raw].length > max)) return rejected(expected, 'invalid length');
  return pattern && !pattern.test(raw) ? rejected(expected) : raw;
}

interface TextOptions {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** Names the form in messages, such as `a domain without protocol`. */
  readonly format?: string;
  readonly secret?: true;
}

/** An entity's id as text. A malformed id is simply one that does not exist. */
export const id = once(() => text({ max: 64 }));

/** A numeric 64-bit id as a decimal string; TypeScript callers may pass a `bigint`. */
export const numericId = once(() => {
  const expected = 'a numeric id';
  const json = { type: 'string', pattern: '^[0-9]{1,19}$' };
  return define<string, string | bigint | number>({ kind: 'text', json, digits: true }, expected, (raw) => {
    const value = typeof raw === 'bigint' || (typeof raw === 'number' && Number.isSafeInteger(raw)) ? `${raw}` : raw;
    return typeof value === 'string' && /^\d{1,19}$/.test(value) ? value : rejected(expected);
  });
});

interface Bounds<N> {
  readonly min?: N;
  readonly max?: N;
}

function bounds(min: number | bigint | undefined, max: number | bigint | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return min === 1 || min === 1n ? ' greater than zero' : ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

const DIGITS = /^-?\d{1,19}$/;

function readWhole(raw: unknown): bigint | undefined {
  if (typeof raw === 'bigint') return raw;
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? BigInt(raw) : undefined;
  return typeof raw === 'string' && DIGITS.test(raw) ? BigInt(raw) : undefined;
}

/** A 64-bit whole number, exact: text or JSON number on the wire, `bigint` in code. */
export function long({ min, max }: Bounds<bigint> = {}) {
  const expected = `a whole number${bounds(min, max)}`;
  const json = {
    type: 'integer',
    format: 'int64',
    ...(min === undefined ? {} : { minimum: Number(min) }),
    ...(max === undefined ? {} : { maximum: Number(max) }),
  };
  return define<bigint, bigint | number | string>({ kind: 'long', json }, expected, (raw) => {
    const value = readWhole(raw);
    if (value !== undefined && (value < INT64_MIN || value > INT64_MAX)) return rejected(`${expected}, in 64 bits`);
    if (value === undefined || value < (min ?? INT64_MIN) || value > (max ?? INT64_MAX)) return rejected(expected);
    return value;
  });
}

/** An amount of money greater than zero, in millionths of the currency unit (5.50 is 5500000). */
export const micro = once(() => long({ min: 1n }));

/** A whole number that fits a double. */
export function int({ min, max }: Bounds<number> = {}) {
  const expected = `a whole number${bounds(min, max)}`;
  const json = {
    type: 'integer',
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
  return define<number, number | string>({ kind: 'int', json }, expected, (raw) => {
    const value = readWhole(raw);
    const number = value === undefined ? Number.NaN : Number(value);
    if (!Number.isSafeInteger(number) || number < (min ?? number) || number > (max ?? number))
      return rejected(expected);
    return number;
  });
}

/** A number that may have a fraction, such as a probability or a coordinate. */
export function decimal({ min, max }: Bounds<number> = {}) {
  const expected = `a number${bounds(min, max)}`;
  const json = {
    type: 'number',
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
  return define<number, number | string>({ kind: 'decimal', json }, expected, (raw) => {
    const isShort = typeof raw === 'string' && raw.length <= MAX_NUMBER_LENGTH;
    const number = isShort && raw.trim() !== '' ? Number(raw) : raw;
    if (typeof number !== 'number' || !Number.isFinite(number)) return rejected(expected);
    return number < (min ?? number) || number > (max ?? number) ? rejected(expected) : number;
  });
}

/**
 * A boolean; on the wire the words `true` and `false`. Our choice: the texts that clients write instead are read as well,
 * `True` and `False` (Python) and `1` and `0`. JSON has booleans of its own, so its numbers are none.
 */
export const boolean = once(() => {
  const expected = 'true or false';
  return define<boolean, boolean | 'true' | 'false'>(
    { kind: 'boolean', json: { type: 'boolean' } },
    expected,
    (raw) => {
      if (typeof raw === 'boolean') return raw;
      return (typeof raw === 'string' ? booleanTexts.get(raw) : undefined) ?? rejected(expected);
    },
  );
});

const booleanTexts: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['True', true],
  ['False', false],
  ['1', true],
  ['0', false],
]);

/** Characters of the longest time that is accepted, with room. */
const MAX_TIME_LENGTH = 64;

function readTime(raw: unknown): string | Rejected {
  const textual = raw instanceof Date && !Number.isNaN(raw.getTime()) ? raw.toISOString() : raw;
  const value = typeof textual === 'string' && textual.length <= MAX_TIME_LENGTH ? parseTimestamp(textual) : undefined;
  return value ?? rejected('time', 'invalid date');
}

/** A point in time; any accepted form in, the canonical UTC form out. */
export const time = once(() => {
  const json = { type: 'string', format: 'date-time' };
  return define<string, string | Date>({ kind: 'time', json }, 'time', readTime);
});

/** A point in time that is a whole hour. */
export const hour = once(() => {
  const json = { type: 'string', format: 'date-time' };
  return define<string, string | Date>({ kind: 'time', json }, 'time', (raw) => {
    const value = readTime(raw);
    if (typeof value !== 'string' || value.endsWith(':00:00Z')) return value;
    return rejected('a whole hour, such as 2026-01-15T08:00:00Z', 'not a whole hour');
  });
});

/** A point in time to the minute: seconds are taken off. */
export const minute = once(() => {
  const json = { type: 'string', format: 'date-time' };
  return define<string, string | Date>({ kind: 'time', json }, 'time', (raw) => {
    const value = readTime(raw);
    return typeof value === 'string' ? `${value.slice(0, -3)}00Z` : value;
  });
});

/** A point in time of data retrieval: ISO 8601 UTC with milliseconds (specification A, Post). */
export const instant = once(() => {
  const json = { type: 'string', format: 'date-time' };
  return define<string, string | Date>({ kind: 'instant', json }, 'time', (raw) => {
    const date = raw instanceof Date ? raw : typeof raw === 'string' && INSTANT.test(raw) ? new Date(raw) : undefined;
    return date && !Number.isNaN(date.getTime()) ? date.toISOString() : rejected('time', 'invalid date');
  });
});

/** A point in time to the millisecond; any accepted form in, the canonical UTC form with milliseconds out. */
export const preciseTime = once(() => {
  const expected = 'a time, such as 2026-01-15T08:00:00Z';
  const json = { type: 'string', format: 'date-time' };
  return define<string, string | Date>({ kind: 'instant', json }, expected, (raw) => {
    const textual = raw instanceof Date && !Number.isNaN(raw.getTime()) ? raw.toISOString() : raw;
    const value = typeof textual === 'string' && textual.length <= MAX_TIME_LENGTH ? parseInstant(textual) : undefined;
    return value ?? rejected(expected, 'invalid date');
  });
});

const INSTANT = /^\d{4}-\d\d-\d\dT.{0,40}$/;

interface WordOptions {
  /** The error for an unknown word. */
  readonly error?: ErrorName;
  /** The replacement for words that were valid in the past. */
  readonly former?: Readonly<Record<string, string>>;
  /** Describes the valid words to somebody who sent another one; `undefined` for the list of all. */
  readonly meant?: (word: string) => string | undefined;
}

/** One of the given words. */
export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  { error, former = {}, meant }: WordOptions = {},
) {
  type Value = Values[number];
  const expected = values.length === 1 ? values[0] : `one of ${values.join(', ')}`;
  const known = new Set<string>(values);
  const isValue = (raw: unknown): raw is Value => typeof raw === 'string' && known.has(raw);
  const special = error === undefined ? {} : { error };
  const type: WireType = { kind: 'enum', values, json: { type: 'string', enum: values }, ...special };
  return define<Value, Value>(type, expected, (raw) => {
    if (isValue(raw)) return raw;
    const hint = typeof raw === 'string' && Object.hasOwn(former, raw) ? former[raw] : undefined;
    const right =
      hint === undefined
        ? { expected: (typeof raw === 'string' ? meant?.(raw) : undefined) ?? expected }
        : { expected: `a word of this version (${hint})`, details: hint };
    return new Rejected({ reason: 'invalid', ...right, ...special });
  });
}

/** One of the given whole numbers. */
export function oneOfInt(values: readonly [number, ...number[]]) {
  const expected = `one of ${values.join(', ')}`;
  return define<number, number | string>({ kind: 'int', json: { type: 'integer', enum: values } }, expected, (raw) => {
    const value = readWhole(raw);
    return value !== undefined && values.includes(Number(value)) ? Number(value) : rejected(expected);
  });
}

/** An ISO 4217 currency code. */
export const currency = once(() =>
  text({ min: 3, max: 3, pattern: /^[A-Z]{3}$/, format: 'a currency code of three capital letters' }),
);

/** An ISO 3166-1 alpha-2 country code. */
export const countryCode = once(() =>
  text({ min: 2, max: 2, pattern: /^[A-Z]{2}$/, format: 'a country code of two capital letters' }),
);

/**
 * A list: comma-separated text on the wire, an array in JSON and in code. Duplicates are removed, keeping the order; an
 * empty text is an empty list and is rejected unless `min` is 0.
 */
export function list<Out, In>(item: z.ZodType<Out, In>, { min = 1, max }: { min?: number; max: number }) {
  const inner = wireTypeOf(item);
  const json = { type: 'array', items: inner?.json ?? {}, minItems: min, maxItems: max };
  const expected = `a comma-separated list of ${min === max ? '' : `${min} to `}${max} values`;
  const type: WireType = {
    kind: 'list',
    json,
    ...(inner ? { item: inner } : {}),
    ...(inner?.values ? { values: inner.values } : {}),
    ...(inner?.secret ? { secret: inner.secret } : {}),
  };
  return define<Out[], readonly In[] | string>(type, expected, (raw) => {
    const parts: unknown[] | undefined =
      typeof raw === 'string' ? (raw === '' ? [] : raw.split(',', max + 1)) : Array.isArray(raw) ? raw : undefined;
    if (!parts || parts.length < min || parts.length > max) return rejected(expected);
    const values: Out[] = [];
    for (const part of parts) {
      const read = item.safeParse(part);
      if (!read.success) {
        const wrong = read.error.issues[0];
        const rejection = wrong && rejectionOf(wrong);
        return new Rejected({
          reason: 'invalid',
          expected: rejection?.expected ?? expected,
          details: rejection?.details ?? `invalid value ${inner?.secret ? '' : `${show(part)} `}in the list`,
          ...(rejection?.error === undefined ? {} : { error: rejection.error }),
        });
      }
      values.push(read.data);
    }
    return [...new Set(values)];
  });
}

/** An object whose members are determined outside the schema, such as by the kind of entity that it is a snapshot of. */
export const members = once(() => {
  const json = { type: 'object', additionalProperties: true };
  return define<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>>(
    { kind: 'members', json },
    'an object',
    (raw) => (typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? { ...raw } : rejected('an object')),
  );
});

/** On an update: an empty value removes the field, so the value may be `null` (specification A, shared conventions 6). */
export function removable<Out, In>(schema: z.ZodType<Out, In>) {
  const inner = wireTypeOf(schema);
  const type: WireType = {
    kind: inner?.kind ?? 'text',
    json: inner?.json ?? {},
    removable: true,
    ...(inner?.values ? { values: inner.values } : {}),
    ...(inner?.secret ? { secret: inner.secret } : {}),
  };
  return define<Out | null, In | null | ''>(type, 'a value', (raw) => {
    if (raw === '' || raw === null) return null;
    const read = schema.safeParse(raw);
    if (read.success) return read.data;
    const wrong = read.error.issues[0];
    return new Rejected((wrong && rejectionOf(wrong)) ?? { reason: 'invalid', expected: 'a value' });
  });
}
