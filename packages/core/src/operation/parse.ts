/**
 * Parses a call's raw parameters by the operation's schema. Field by field, so that one pass reports all errors at once
 * and the echo contains everything that could be parsed.
 */
import leven from 'leven';
import * as z from 'zod';
import type { Issue } from '../wire/issues.ts';
import { nameOfPlace } from '../wire/nested.ts';
import { repeated, show } from '../wire/show.ts';
import { descriptionOf, REJECTED, readerOf, rejectionOf, wireTypeOf } from '../wire/types.ts';
import type { AnyOperation, BatchItems } from './operation.ts';

/** Parameters by name, each as an adapter received it. */
export type RawParams = Readonly<Record<string, unknown>>;

/** The outcome of parsing parameters. */
export interface ReadParams {
  /** Typed values, defaults filled in. Complete only when there are no issues. */
  readonly values: Readonly<Record<string, unknown>>;
  /** `request.params`: the parameters sent, in typed form, without defaults (reference, conventions section 2). */
  readonly echo: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
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

/** Parses parameters by a schema. */
export function readParams(schema: z.ZodObject, raw: RawParams, exclusive: AnyOperation['exclusive'] = []): ReadParams {
  const known = fields(schema);
  const values: Record<string, unknown> = {};
  const echo: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const field of known.fields) {
    const { name, schema: type, absent } = field;
    const sent = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (sent === undefined && absent) {
      if (absent.value !== undefined) values[name] = absent.value;
      continue;
    }
    const read = readSent(field, sent);
    if (!read.success) {
      issues.push(...fieldIssues(name, type, sent, read.error));
      continue;
    }
    const { data } = read;
    // An object could be changed by whoever gets it.
    if (sent === undefined && (typeof data !== 'object' || data === null)) field.absent = { value: data };
    if (data === undefined) continue;
    values[name] = data;
    if (sent !== undefined) echo[name] = field.asSent ? sent : data;
  }
  const unknown = unknownNames(raw, known.names);
  for (const name of unknown.slice(0, MAX_UNKNOWN)) issues.push(unknownParameter(name, raw[name], known.names));
  if (unknown.length > MAX_UNKNOWN) issues.push(moreUnknown(unknown.length - MAX_UNKNOWN));
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
  return { values, echo, issues };
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
  if (first === undefined || first.path.length === 0) return [fieldIssue(name, field, sent, error)];
  return error.issues.slice(0, MAX_ERRORS).map((issue) => innerIssue(name, sent, issue));
}

/** Returns the issue of a part of a parameter. It names the parameter that was sent; the message identifies the part. */
function innerIssue(parameter: string, sent: unknown, issue: z.core.$ZodIssue): Issue {
  const value = issue.path.reduce<unknown>((held, step) => memberOf(held, step), sent);
  const rejection = rejectionOf(issue);
  const place = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const at = nameOfPlace(parameter, place);
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const message = `"${key.slice(0, 100)}" is no member of ${at}`;
    return { error: 'INVALID_PARAMETER', parameter, message, details: 'unknown member', value: memberOf(value, key) };
  }
  if (rejection?.reason === 'missing') {
    return { error: 'MISSING_PARAMETER', parameter, message: `${at} is missing: expected ${rejection.expected}` };
  }
  const expected = rejection?.expected ?? (issue.code === 'invalid_type' ? `an ${issue.expected}` : 'a valid value');
  return {
    error: rejection?.error ?? (rejection?.reason === 'illegal' ? 'ILLEGAL_CHARACTERS' : 'INVALID_PARAMETER'),
    parameter,
    message: `Expected ${expected}, got ${show(value)} for ${at}`,
    value,
    ...(rejection?.details === undefined ? {} : { details: rejection.details }),
  };
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
    message: `Expected ${expected}, got ${secret ? 'something else' : show(sent)} for ${name}`,
    ...(secret ? {} : { value: sent }),
    ...(rejection?.details === undefined ? {} : { details: rejection.details }),
  };
}

function nestedProblem(issue: z.core.$ZodIssue | undefined): string | undefined {
  if (!issue) return undefined;
  return issue.path.length > 0 ? `a valid ${issue.path.join('.')} (${issue.message})` : issue.message;
}

/** Maximum edit distance between a name and the parameter that was probably meant. */
const MAX_SLIPS = 3;

// Our choice, the specification being silent: an unknown parameter is rejected. Ignoring a misspelt budget would spend
// someone's money.
function unknownParameter(name: string, value: unknown, names: ReadonlySet<string>): Issue {
  const near = [...names]
    .filter((candidate) => Math.abs(candidate.length - name.length) <= MAX_SLIPS)
    .map((candidate) => [leven(name, candidate, { maxDistance: MAX_SLIPS + 1 }), candidate] as const)
    .sort((a, b) => a[0] - b[0]);
  const [best] = near;
  const known = names.size === 0 ? 'it takes none' : `known: ${[...names].join(', ')}`;
  const hint = best && best[0] <= MAX_SLIPS ? `did you mean "${best[1]}"?` : known;
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

/** One parsed item of a batch. */
export interface BatchItem {
  readonly operation_type: 'Create' | 'Update' | 'Delete';
  readonly params: Readonly<Record<string, unknown>>;
}

/** The outcome of parsing a batch. */
export interface ReadBatch {
  readonly items: readonly BatchItem[];
  /** `request`: the items in typed form, each with the `account_id` of the path. */
  readonly echo: readonly unknown[];
  /** Errors of the request as a whole. */
  readonly issues: readonly Issue[];
  /** Errors of the items, one list for each item. */
  readonly itemIssues: readonly (readonly Issue[])[];
}

const besides = new WeakMap<z.ZodObject, z.ZodObject>();

/** Returns the parameters of a batch beside its items. */
export function paramsBeside(schema: z.ZodObject): z.ZodObject {
  const known = besides.get(schema);
  if (known) return known;
  const made = schema.omit({ operations: true });
  besides.set(schema, made);
  return made;
}

const operationTypes = ['Create', 'Update', 'Delete'] as const;

/** Maximum number of errors that the items of a batch report together; after these, each further item reports its first. */
const MAX_BATCH_ERRORS = 1_000;

/** Parses the items of a batch (specification A, shared conventions 7). */
export function readBatch(batch: BatchItems, raw: unknown, pathParams: RawParams): ReadBatch {
  const nothing = { items: [], echo: [], itemIssues: [] };
  if (!Array.isArray(raw)) {
    const message = 'Expected a JSON array of {"operation_type", "params"} objects as the body';
    return { ...nothing, issues: [{ error: 'INVALID_PARAMETER', message, details: 'body' }] };
  }
  const elements: readonly unknown[] = raw;
  if (elements.length === 0 || elements.length > batch.max) {
    const message = `Expected 1 to ${batch.max} operations in the batch, got ${elements.length}`;
    return { ...nothing, issues: [{ error: 'REQUEST_TOO_COMPLEX', message, value: elements.length }] };
  }
  const items: BatchItem[] = [];
  const echo: unknown[] = [];
  const itemIssues: (readonly Issue[])[] = [];
  let reported = 0;
  for (const element of elements) {
    const read = readItem(batch, element);
    echo.push({ params: { ...read.echo, ...pathParams }, operation_type: read.operation_type });
    itemIssues.push(reported < MAX_BATCH_ERRORS ? read.issues : read.issues.slice(0, 1));
    reported += read.issues.length;
    if (read.item) items.push(read.item);
  }
  return { items, echo, issues: [], itemIssues };
}

function readItem(batch: BatchItems, element: unknown) {
  const rejection = (issue: Issue, operation_type: unknown = null) => ({
    // The echo holds what was sent as far as it has the type that it has to have.
    operation_type: typeof operation_type === 'string' ? repeated(operation_type) : null,
    echo: {},
    issues: [issue],
    item: undefined,
  });
  if (!isRecord(element)) {
    return rejection({
      error: 'INVALID_PARAMETER',
      message: `Expected an object with "operation_type" and "params", got ${show(element)}`,
    });
  }
  const { operation_type, params, ...surplus } = element;
  const [unknown] = Object.keys(surplus);
  if (unknown !== undefined) {
    const message = `"${unknown.slice(0, 100)}" is not part of a batch item; it has "operation_type" and "params"`;
    return rejection({ error: 'INVALID_PARAMETER', parameter: unknown.slice(0, 100), message }, operation_type);
  }
  const allowed = operationTypes.filter((name) => batch[name]);
  const type = allowed.find((name) => name === operation_type);
  const schema = type && batch[type];
  if (!schema) {
    const error = operation_type === undefined ? 'MISSING_PARAMETER' : 'INVALID_PARAMETER';
    const message = `Expected one of ${allowed.join(', ')}, got ${show(operation_type)} for operation_type`;
    return rejection(
      {
        error,
        parameter: 'operation_type',
        message,
        ...(operation_type === undefined ? {} : { value: operation_type }),
      },
      operation_type,
    );
  }
  if (!isRecord(params)) {
    const error = params === undefined ? 'MISSING_PARAMETER' : 'INVALID_PARAMETER';
    return rejection(
      { error, parameter: 'params', message: `Expected an object, got ${show(params)} for params` },
      type,
    );
  }
  const read = readParams(schema, params);
  return {
    operation_type: type,
    echo: read.echo,
    issues: [...read.issues],
    item: { operation_type: type, params: read.values },
  };
}

function isRecord(value: unknown): value is RawParams {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a parameter may be emptied on an update. */
export function isRemovable(schema: z.ZodType): boolean {
  return wireTypeOf(schema)?.removable === true;
}
