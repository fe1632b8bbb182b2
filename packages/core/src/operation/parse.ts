/**
 * Parses a call's raw parameters by the operation's schema. Field by field, so that one pass reports all errors at once
 * and the echo contains everything that could be parsed.
 */
import * as z from 'zod';
import type { Issue } from '../wire/issues.ts';
import { nameOfPlace } from '../wire/nested.ts';
import { show } from '../wire/show.ts';
import { descriptionOf, REJECTED, readerOf, rejectionOf, wireTypeOf } from '../wire/types.ts';
import { membersOf } from './fields.ts';
import { nearestName } from './nearest-name.ts';
import type { AnyOperation } from './operation.ts';
import { hasMember, type Restated, restatedMember } from './restated.ts';

/** Parameters by name, each as an adapter received it. */
export type RawParams = Readonly<Record<string, unknown>>;

/** The outcome of parsing parameters. */
export interface ReadParams {
  /** Typed values, defaults filled in. Complete only when there are no issues. */
  readonly values: Readonly<Record<string, unknown>>;
  /** `request.params`: the parameters sent, in typed form, without defaults (reference, conventions section 2). */
  readonly echo: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
  /** Members of the entity that are accepted if they are what it has, which is still to be found out. */
  readonly restated?: readonly Restated[];
}

/** A parameter, with what follows from its schema alone. */
interface Field {
  readonly name: string;
  readonly schema: z.ZodType;
  /** Reads what the schema accepts, where that is simple. */
  readonly read: ReturnType<typeof readerOf>;
  /** The echo has the value as it was sent. */
  readonly asSent: boolean;
  /** The value where none is sent, once it is known and always the same. */
  absent: { readonly value: unknown } | undefined;
}

const fieldsOf = new WeakMap<z.ZodObject, { fields: readonly Field[]; names: ReadonlySet<string> }>();

function fields(schema: z.ZodObject) {
  const known = fieldsOf.get(schema);
  if (known) return known;
  const made = {
    fields: Object.entries(schema.shape).flatMap(([name, field]) =>
      field instanceof z.ZodType
        ? [
            {
              name,
              schema: field,
              read: readerOf(field),
              asSent: wireTypeOf(field)?.asSent === true,
              absent: undefined,
            },
          ]
        : [],
    ),
    names: new Set(Object.keys(schema.shape)),
  };
  fieldsOf.set(schema, made);
  return made;
}

/** Maximum number of unknown parameters that are reported one by one: more are not slips, and each takes a search for the name meant. */
const MAX_UNKNOWN = 20;

/**
 * Parses parameters by a schema.
 * @param entity what is changed, where members of it may be sent back with the changes
 * @param mostUnknown unknown parameters that are reported one by one
 */
export function readParams(
  schema: z.ZodObject,
  raw: RawParams,
  exclusive: AnyOperation['exclusive'] = [],
  entity?: z.ZodObject,
  mostUnknown = MAX_UNKNOWN,
): ReadParams {
  const known = fields(schema);
  const values: Record<string, unknown> = {};
  const echo: Record<string, unknown> = {};
  const issues: Issue[] = [];
  let restated: Restated[] | undefined;
  for (const field of known.fields) {
    const { name, schema: type, absent } = field;
    const sent = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (sent === undefined && absent) {
      if (absent.value !== undefined) values[name] = absent.value;
      continue;
    }
    const read = readSent(field, sent);
    if (!read.success) {
      const wrong = fieldIssues(name, type, sent, read.error);
      if (entity && sent !== undefined && hasMember(entity, name)) {
        restated ??= [];
        restated.push({ name, sent, issues: wrong });
      } else issues.push(...wrong);
      continue;
    }
    const { data } = read;
    // An object could be changed by whoever gets it.
    if (sent === undefined && (typeof data !== 'object' || data === null)) field.absent = { value: data };
    if (data === undefined) continue;
    values[name] = data;
    if (sent !== undefined) echo[name] = field.asSent ? sent : data;
  }
  let unknown = unknownNames(raw, known.names);
  if (entity && unknown.length > 0) {
    const members = unknown.map((name) => ({ name, member: restatedMember(entity, name, raw[name]) }));
    unknown = members.flatMap(({ name, member }) => (member ? [] : [name]));
    const settled = members.flatMap(({ member }) => (member && member !== 'computed' ? [member] : []));
    if (settled.length > 0) restated = [...(restated ?? []), ...settled];
  }
  for (const name of unknown.slice(0, mostUnknown)) issues.push(unknownParameter(name, raw[name], known.names));
  if (unknown.length > mostUnknown) issues.push(moreUnknown(unknown.length - mostUnknown));
  for (const [one, other] of exclusive) {
    // A flag that is false requests nothing, so it excludes nothing.
    if (echo[one] === undefined || echo[other] === undefined || echo[one] === false || echo[other] === false) continue;
    issues.push({
      error: 'EXCLUSIVE_PARAMETERS',
      parameter: other,
      value: echo[other],
      message: `"${one}" and "${other}" cannot be used together; leave one out`,
    });
  }
  return restated ? { values, echo, issues, restated } : { values, echo, issues };
}

function unknownNames(raw: RawParams, known: ReadonlySet<string>): readonly string[] {
  let unknown: string[] | undefined;
  for (const name of Object.keys(raw)) {
    if (known.has(name)) continue;
    unknown ??= [];
    unknown.push(name);
  }
  return unknown ?? NONE;
}

const NONE: readonly string[] = [];

/**
 * Maximum number of elements of an array that are read before its length is verified: a schema verifies the length last. No
 * array of the contract may be as long.
 */
const MAX_ELEMENTS = 1_000;

function readSent({ schema, read }: Field, sent: unknown) {
  if (read && sent !== undefined && !Array.isArray(sent)) {
    const data = read(sent);
    if (data !== REJECTED) return { success: true, data } as const;
  }
  return readField(schema, sent);
}

function readField(field: z.ZodType, sent: unknown) {
  if (Array.isArray(sent) && sent.length > MAX_ELEMENTS) {
    const beginning = field.safeParse(sent.slice(0, MAX_ELEMENTS + 1));
    if (!beginning.success) return beginning;
  }
  return field.safeParse(sent);
}

/** Rejects a call with a missing parameter. */
export function missingParameter(name: string): Issue {
  return { error: 'MISSING_PARAMETER', parameter: name, message: `"${name}" is a required parameter` };
}

/** Maximum number of errors reported for one parameter. */
const MAX_ERRORS = 100;

/** Returns the issues of a parameter: several where it consists of several values. */
function fieldIssues(name: string, field: z.ZodType, sent: unknown, error: z.ZodError): readonly Issue[] {
  const [first] = error.issues;
  const isWhole = first?.path.length === 0 && first.code !== 'unrecognized_keys';
  if (first === undefined || isWhole) return [fieldIssue(name, field, sent, error)];
  return error.issues.slice(0, MAX_ERRORS).map((issue) => innerIssue(name, field, sent, issue));
}

/** Returns the issue of a part of a parameter. It names the parameter that was sent; the message identifies the part. */
function innerIssue(parameter: string, field: z.ZodType, sent: unknown, issue: z.core.$ZodIssue): Issue {
  const value = issue.path.reduce<unknown>((held, step) => memberOf(held, step), sent);
  const rejection = rejectionOf(issue);
  const place = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const at = nameOfPlace(parameter, place);
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return noMember(parameter, { key, at, value: memberOf(value, key) }, memberNames(field, issue.path));
  }
  if (rejection?.members) {
    const key = String(place.at(-1) ?? '');
    return noMember(parameter, { key, at: nameOfPlace(parameter, place.slice(0, -1)), value }, rejection.members);
  }
  if (rejection?.reason === 'missing') {
    return { error: 'MISSING_PARAMETER', parameter, message: `${at} is missing: expected ${rejection.expected}` };
  }
  const expected = rejection?.expected ?? typeExpected(issue) ?? 'a valid value';
  return {
    error: rejection?.error ?? (rejection?.reason === 'illegal' ? 'ILLEGAL_CHARACTERS' : 'INVALID_PARAMETER'),
    parameter,
    message: `Expected ${expected}, got ${show(value)} for ${at}${formOf(expected, at, value)}`,
    value,
    ...(rejection?.details === undefined ? {} : { details: rejection.details }),
  };
}

/** Rejects a name that an object does not have, as a whole parameter of an unknown name is rejected. */
function noMember(
  parameter: string,
  { key, at, value }: { readonly key: string; readonly at: string; readonly value: unknown },
  members: readonly string[],
): Issue {
  const near = nearestName(key, members);
  const hint = near === undefined ? `known: ${members.join(', ')}` : `did you mean "${near}"?`;
  const message = `"${key.slice(0, 100)}" is no member of ${at}; ${hint}`;
  return { error: 'INVALID_PARAMETER', parameter, message, details: 'unknown member', value };
}

/** The names of the members of an object inside a parameter. */
function memberNames(field: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const names = path.filter((step) => typeof step === 'string');
  let members = membersOf(field)?.fields ?? [];
  for (const name of names) {
    const inner = members.find(([member]) => member === name)?.[1];
    members = (inner && membersOf(inner)?.fields) ?? [];
  }
  return members.map(([name]) => name);
}

function memberOf(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function fieldIssue(name: string, field: z.ZodType, sent: unknown, error: z.ZodError): Issue {
  const [first] = error.issues;
  const rejection = first && rejectionOf(first);
  if (sent === undefined || rejection?.reason === 'missing') {
    return missingParameter(name);
  }
  const expected = rejection?.expected ?? nestedProblem(first) ?? descriptionOf(field) ?? 'a valid value';
  const secret = wireTypeOf(field)?.secret === true;
  return {
    error: rejection?.error ?? (rejection?.reason === 'illegal' ? 'ILLEGAL_CHARACTERS' : 'INVALID_PARAMETER'),
    parameter: name,
    message: `Expected ${expected}, got ${secret ? 'something else' : show(sent)} for ${name}${formOf(expected, name, sent)}`,
    ...(secret ? {} : { value: sent }),
    ...(rejection?.details === undefined ? {} : { details: rejection.details }),
  };
}

function nestedProblem(issue: z.core.$ZodIssue | undefined): string | undefined {
  if (!issue) return undefined;
  return (
    typeExpected(issue) ??
    (issue.path.length > 0 ? `a valid ${issue.path.join('.')} (${issue.message})` : issue.message)
  );
}

/** Names the type that a schema without a word of its own expects. */
function typeExpected(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  return typeWords.get(issue.expected) ?? `an ${issue.expected}`;
}

const typeWords: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['string', 'text'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
]);

/** The form in which a value is written, where the word for what is expected does not say it. */
function formOf(expected: string, name: string, sent: unknown): string {
  if (expected === 'time') return '; a time is written YYYY-MM-DDTHH:MM:SSZ, such as 2026-03-01T08:00:00Z';
  const [, whole = '', fraction = ''] = name.endsWith('_micro') ? (DECIMAL.exec(show(sent)) ?? []) : [];
  if (fraction === '') return '';
  return `; amounts are in millionths: ${whole}.${fraction} is ${BigInt(`${whole}${fraction.padEnd(6, '0')}`)}`;
}

/** An amount as people write it, with or without quotes. */
const DECIMAL = /^"?(\d{1,12})\.(\d{1,6})"?$/;

// Our choice, the specification being silent: an unknown parameter is rejected. Ignoring a misspelt budget would spend
// someone's money.
function unknownParameter(name: string, value: unknown, names: ReadonlySet<string>): Issue {
  const near = nearestName(name, names);
  const known = names.size === 0 ? 'it takes none' : `known: ${[...names].join(', ')}`;
  const hint = near === undefined ? known : `did you mean "${near}"?`;
  return {
    error: 'INVALID_PARAMETER',
    parameter: name.slice(0, 100),
    message: `"${name.slice(0, 100)}" is not a parameter of this operation; ${hint}`,
    details: 'unknown parameter',
    value,
  };
}

function moreUnknown(count: number): Issue {
  return {
    error: 'INVALID_PARAMETER',
    message: `${count} more names are not parameters of this operation`,
    details: 'unknown parameter',
  };
}

/** Returns whether a parameter may be emptied on an update. */
export function isRemovable(schema: z.ZodType): boolean {
  return wireTypeOf(schema)?.removable === true;
}
