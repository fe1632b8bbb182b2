/**
 * Reads a call's raw parameters by the operation's schema. Field by field, so that one pass reports every fault at once
 * and the echo holds whatever could be read.
 */
import leven from 'leven';
import * as z from 'zod';
import type { Issue } from '../wire/issues.ts';
import { descriptionOf, refusalOf, show, wireTypeOf } from '../wire/types.ts';
import type { AnyOperation, BatchItems } from './operation.ts';

/** Parameters by name, each as an adapter received it. */
export type RawParams = Readonly<Record<string, unknown>>;

/** The outcome of reading parameters. */
export interface ReadParams {
  /** Typed values, defaults filled in. Complete only when there are no issues. */
  readonly values: Readonly<Record<string, unknown>>;
  /** `request.params`: what the caller sent, in typed form, defaults left out (reference, conventions section 2). */
  readonly echo: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
}

type Fields = readonly (readonly [name: string, schema: z.ZodType])[];

const fieldsOf = new WeakMap<z.ZodObject, { fields: Fields; names: ReadonlySet<string> }>();

function fields(schema: z.ZodObject) {
  const known = fieldsOf.get(schema);
  if (known) return known;
  const entries = Object.entries(schema.shape).filter(
    (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
  );
  const made = { fields: entries, names: new Set(entries.map(([name]) => name)) };
  fieldsOf.set(schema, made);
  return made;
}

/** Reads parameters by a schema. */
export function readParams(schema: z.ZodObject, raw: RawParams, exclusive: AnyOperation['exclusive'] = []): ReadParams {
  const known = fields(schema);
  const values: Record<string, unknown> = {};
  const echo: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const [name, field] of known.fields) {
    const sent = Object.hasOwn(raw, name) ? raw[name] : undefined;
    const read = field.safeParse(sent);
    if (!read.success) issues.push(...fieldIssues(name, field, sent, read.error));
    else if (read.data !== undefined) {
      values[name] = read.data;
      if (sent !== undefined) echo[name] = read.data;
    }
  }
  for (const name of Object.keys(raw)) {
    if (!known.names.has(name)) issues.push(unknownParameter(name, raw[name], known.names));
  }
  for (const [one, other] of exclusive) {
    // A flag that is false asks for nothing, so it excludes nothing.
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

/** Refuses a call for want of a parameter. */
export function missingParameter(name: string): Issue {
  return { error: 'MISSING_PARAMETER', parameter: name, message: `"${name}" is a required parameter` };
}

/** So many faults of one parameter are told. */
const MAX_FAULTS = 100;

/** What is wrong with a parameter: several things where it is made of several. */
function fieldIssues(name: string, field: z.ZodType, sent: unknown, error: z.ZodError): readonly Issue[] {
  const [first] = error.issues;
  if (first === undefined || first.path.length === 0 || wireTypeOf(field))
    return [fieldIssue(name, field, sent, error)];
  return error.issues.slice(0, MAX_FAULTS).map((issue) => innerIssue(name, sent, issue));
}

/** What is wrong with a part of a parameter. The parameter is the one that was sent; the message says which part it is. */
function innerIssue(parameter: string, sent: unknown, issue: z.core.$ZodIssue): Issue {
  const place = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  const value = issue.path.reduce<unknown>((held, step) => memberOf(held, step), sent);
  const refusal = refusalOf(issue);
  const at = `${parameter}${place}`;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const message = `"${key.slice(0, 100)}" is no member of ${at}`;
    return { error: 'INVALID_PARAMETER', parameter, message, details: 'unknown member', value: memberOf(value, key) };
  }
  if (refusal?.reason === 'missing') {
    return { error: 'MISSING_PARAMETER', parameter, message: `${at} is missing: expected ${refusal.expected}` };
  }
  const expected = refusal?.expected ?? (issue.code === 'invalid_type' ? `an ${issue.expected}` : 'a valid value');
  return {
    error: refusal?.error ?? (refusal?.reason === 'illegal' ? 'ILLEGAL_CHARACTERS' : 'INVALID_PARAMETER'),
    parameter,
    message: `Expected ${expected}, got ${show(value)} for ${at}`,
    value,
    ...(refusal?.details === undefined ? {} : { details: refusal.details }),
  };
}

function memberOf(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function fieldIssue(name: string, field: z.ZodType, sent: unknown, error: z.ZodError): Issue {
  const [first] = error.issues;
  const refusal = first && refusalOf(first);
  if (sent === undefined || refusal?.reason === 'missing') {
    return missingParameter(name);
  }
  const expected = refusal?.expected ?? nestedProblem(first) ?? descriptionOf(field) ?? 'a valid value';
  const secret = wireTypeOf(field)?.secret === true;
  return {
    error: refusal?.error ?? (refusal?.reason === 'illegal' ? 'ILLEGAL_CHARACTERS' : 'INVALID_PARAMETER'),
    parameter: name,
    message: `Expected ${expected}, got ${secret ? 'something else' : show(sent)} for ${name}`,
    ...(secret ? {} : { value: sent }),
    ...(refusal?.details === undefined ? {} : { details: refusal.details }),
  };
}

function nestedProblem(issue: z.core.$ZodIssue | undefined): string | undefined {
  if (!issue) return undefined;
  return issue.path.length > 0 ? `a valid ${issue.path.join('.')} (${issue.message})` : issue.message;
}

/** Edits between a name and the parameter that was probably meant. */
const MAX_SLIPS = 3;

// Our choice, the specification being silent: a name that is not a parameter is refused. Ignoring a misspelt budget would
// spend someone's money.
function unknownParameter(name: string, value: unknown, names: ReadonlySet<string>): Issue {
  const near = [...names]
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

/** One item of a batch, read. */
export interface BatchItem {
  readonly operation_type: 'Create' | 'Update' | 'Delete';
  readonly params: Readonly<Record<string, unknown>>;
}

/** The outcome of reading a batch. */
export interface ReadBatch {
  readonly items: readonly BatchItem[];
  /** `request`: the items in typed form, each with the `account_id` of the path. */
  readonly echo: readonly unknown[];
  /** Faults of the request as a whole. */
  readonly issues: readonly Issue[];
  /** Faults of the items, one list an item. */
  readonly itemIssues: readonly (readonly Issue[])[];
}

const besides = new WeakMap<z.ZodObject, z.ZodObject>();

/** The parameters of a batch that stand beside its items. */
export function paramsBeside(schema: z.ZodObject): z.ZodObject {
  const known = besides.get(schema);
  if (known) return known;
  const made = schema.omit({ operations: true });
  besides.set(schema, made);
  return made;
}

const operationTypes = ['Create', 'Update', 'Delete'] as const;

/** Reads the items of a batch (specification A, shared conventions 7). */
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
  const itemIssues: Issue[][] = [];
  for (const element of elements) {
    const read = readItem(batch, element);
    echo.push({ params: { ...read.echo, ...pathParams }, operation_type: read.operation_type });
    itemIssues.push(read.issues);
    if (read.item) items.push(read.item);
  }
  return { items, echo, issues: [], itemIssues };
}

function readItem(batch: BatchItems, element: unknown) {
  const refusal = (issue: Issue, operation_type: unknown = null) => ({
    operation_type,
    echo: {},
    issues: [issue],
    item: undefined,
  });
  if (!isRecord(element)) {
    return refusal({
      error: 'INVALID_PARAMETER',
      message: `Expected an object with "operation_type" and "params", got ${show(element)}`,
    });
  }
  const { operation_type, params, ...surplus } = element;
  const [unknown] = Object.keys(surplus);
  if (unknown !== undefined) {
    const message = `"${unknown.slice(0, 100)}" is not part of a batch item; it has "operation_type" and "params"`;
    return refusal({ error: 'INVALID_PARAMETER', parameter: unknown.slice(0, 100), message }, operation_type);
  }
  const allowed = operationTypes.filter((name) => batch[name]);
  const type = allowed.find((name) => name === operation_type);
  const schema = type && batch[type];
  if (!schema) {
    const error = operation_type === undefined ? 'MISSING_PARAMETER' : 'INVALID_PARAMETER';
    const message = `Expected one of ${allowed.join(', ')}, got ${show(operation_type)} for operation_type`;
    return refusal(
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
    return refusal({ error, parameter: 'params', message: `Expected an object, got ${show(params)} for params` }, type);
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

/** Whether a parameter may be emptied on an update. */
export function isRemovable(schema: z.ZodType): boolean {
  return wireTypeOf(schema)?.removable === true;
}
