/** Parses the items of a batch, each by the schema of its kind, so that one response reports the errors of all. */
import type * as z from 'zod';
import type { Issue } from '../wire/issues.ts';
import { repeated, show } from '../wire/show.ts';
import type { BatchItems } from './operation.ts';
import { type RawParams, readParams } from './parse.ts';
import type { Restated } from './restated.ts';

/** One parsed item of a batch. */
export interface BatchItem {
  readonly operation_type: 'Create' | 'Update' | 'Delete';
  readonly params: Readonly<Record<string, unknown>>;
}

/** The outcome of parsing a batch. */
export interface ReadBatch {
  /** By index; `undefined` for what is no item at all. The parameters of an item with errors are not complete. */
  readonly items: readonly (BatchItem | undefined)[];
  /** `request`: the items in typed form, each with the `account_id` of the path. */
  readonly echo: readonly unknown[];
  /** Errors of the request as a whole. */
  readonly issues: readonly Issue[];
  /** Errors of the items, one list for each item. */
  readonly itemIssues: readonly (readonly Issue[])[];
  /** Members of entities that items restate, by the index of the item. */
  readonly restatedItems?: ReadonlyMap<number, readonly Restated[]>;
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

/** Maximum number of errors that the items of a batch report together, about; after these, each further item reports its first. */
const MAX_BATCH_ERRORS = 300;

/**
 * Parses the items of a batch (specification A, shared conventions 7).
 * @param entity what is changed, where members of it may be sent back with updates and deletions
 */
export function readBatch(batch: BatchItems, raw: unknown, pathParams: RawParams, entity?: z.ZodObject): ReadBatch {
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
  const items: (BatchItem | undefined)[] = [];
  const echo: unknown[] = [];
  const itemIssues: (readonly Issue[])[] = [];
  let restatedItems: Map<number, readonly Restated[]> | undefined;
  let reported = 0;
  for (const element of elements) {
    const isFull = reported >= MAX_BATCH_ERRORS;
    const read = readItem(batch, element, entity, isFull ? 1 : undefined);
    echo.push({ params: { ...read.echo, ...pathParams }, operation_type: read.operation_type });
    itemIssues.push(isFull ? read.issues.slice(0, 1) : read.issues);
    reported += read.issues.length;
    if (read.restated) {
      restatedItems ??= new Map();
      restatedItems.set(items.length, read.restated);
    }
    items.push(read.item);
  }
  const read = { items, echo, issues: [], itemIssues };
  return restatedItems ? { ...read, restatedItems } : read;
}

function readItem(batch: BatchItems, element: unknown, entity: z.ZodObject | undefined, mostUnknown?: number) {
  const rejection = (issue: Issue, operation_type: unknown = null) => ({
    // The echo holds what was sent as far as it has the type that it has to have.
    operation_type: typeof operation_type === 'string' ? repeated(operation_type) : null,
    echo: {},
    issues: [issue],
    item: undefined,
    restated: undefined,
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
  const read = readParams(schema, params, [], type === 'Create' ? undefined : entity, mostUnknown);
  return {
    operation_type: type,
    echo: read.echo,
    issues: [...read.issues],
    item: { operation_type: type, params: read.values },
    restated: read.restated,
  };
}

function isRecord(value: unknown): value is RawParams {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
