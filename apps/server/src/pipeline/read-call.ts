/** Reads the parameters of a call by the kind of its operation. */
import {
  type AnyOperation,
  type ByKind,
  type CallableKind,
  dispatch,
  type OperationOfKind,
  paramsBeside,
  type RawParams,
  type ReadBatch,
  type ReadParams,
  readBatch,
  readingOf,
  readLookup,
  readParams,
} from '@broadside/core';
import type * as z from 'zod';
import type { Call } from './call.ts';
import { jsonOf, readUsers } from './read-users.ts';

/** Parameters as they were read. */
export interface ReadCall
  extends Omit<ReadParams, 'echo'>,
    Pick<Partial<ReadBatch>, 'items' | 'itemIssues' | 'restatedItems'> {
  /** `request.params`, or `request` of a batch. */
  readonly echo: unknown;
}

type Sent = Pick<Call, 'params' | 'items' | 'json'>;

/** Reads the parameters of a call, without users of a batch, and collects all issues. */
export type CallReader = (sent: Sent) => ReadCall;

/** Returns the function that reads the calls of an operation. */
export function callReader(operation: AnyOperation): CallReader {
  return dispatch(readers, operation);
}

const readers: ByKind<CallableKind, [], CallReader> = {
  ads: strictReader,
  operator: strictReader,
  control: strictReader,
  auth: lenientReader,
  data:
    ({ params: schema }) =>
    ({ params }) =>
      readLookup(schema, params),
  upload: (operation) => (operation.version === '1.1' ? lenientReader(operation) : strictReader(operation)),
};

type Strict = OperationOfKind<'ads' | 'operator' | 'control' | 'upload'>;

function strictReader(operation: Strict): CallReader {
  const { params: schema, exclusive, echo, batch } = operation;
  const entity = readingOf(operation)?.entity;
  if (batch) return (sent) => readItems(operation, batch, sent, entity);
  if (!echo) return ({ params }) => readParams(schema, params, exclusive, entity);
  return ({ params }) => {
    const read = readParams(schema, params, exclusive, entity);
    return { ...read, echo: echo(read.echo) };
  };
}

function readItems(
  operation: Strict,
  shape: NonNullable<Strict['batch']>,
  { params, items }: Sent,
  entity: z.ZodObject | undefined,
): ReadCall {
  const beside = readParams(paramsBeside(operation.params), params);
  if (shape.users) return operation.envelope === 'batch' ? { ...beside, echo: [] } : beside;
  const batch = readBatch(shape, items, beside.echo, entity);
  const issues = [...beside.issues, ...batch.issues];
  return { ...batch, values: { ...beside.values, operations: batch.items }, issues };
}

/**
 * Reads the users of a batch, which take so long that other work is done in between.
 * @param beside the call as it was read without them
 */
export async function readUsersOf({ operation, items, json, otherNames }: Call, beside: ReadCall): Promise<ReadCall> {
  const shape = operation.batch?.users;
  if (!shape || beside.issues.length > 0) return beside;
  const { packed, others, issues, itemIssues, echo } = await readUsers(json ?? jsonOf(items), shape, otherNames);
  return {
    values: { ...beside.values, operations: packed ?? others },
    echo:
      operation.envelope === 'batch'
        ? echo.map(({ operation_type, params }) => ({ params: { ...params, ...beside.values }, operation_type }))
        : beside.echo,
    issues,
    itemIssues,
  };
}

/** OAuth clients send more parameters than required, and a provider ignores them (RFC 6749 section 3.2). */
function lenientReader({ params: schema }: AnyOperation): CallReader {
  return ({ params }) => readParams(schema, known(schema, params));
}

function known({ shape }: AnyOperation['params'], params: RawParams): RawParams {
  return Object.fromEntries(Object.entries(params).filter(([name]) => Object.hasOwn(shape, name)));
}
