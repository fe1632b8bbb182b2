/** Reads the parameters of a call by the kind of its operation. */
import {
  type AnyOperation,
  type ByKind,
  type CallableKind,
  dispatch,
  type OperationOfKind,
  paramsBeside,
  type RawParams,
  type ReadParams,
  readBatch,
  readLookup,
  readParams,
} from '@broadside/core';
import type { Call } from './call.ts';
import { jsonOf, readUsers } from './read-users.ts';

/** Parameters as they were read. */
export interface ReadCall extends Omit<ReadParams, 'echo'>, Pick<Partial<ReturnType<typeof readBatch>>, 'itemIssues'> {
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
  auth: lenientReader,
  data:
    ({ params: schema }) =>
    ({ params }) =>
      readLookup(schema, params),
  upload: (operation) => (operation.version === '1.1' ? lenientReader(operation) : strictReader(operation)),
};

type Strict = OperationOfKind<'ads' | 'operator' | 'upload'>;

function strictReader(operation: Strict): CallReader {
  const { params: schema, exclusive, echo, batch } = operation;
  if (batch) return (sent) => readItems(operation, batch, sent);
  if (!echo) return ({ params }) => readParams(schema, params, exclusive);
  return ({ params }) => {
    const read = readParams(schema, params, exclusive);
    return { ...read, echo: echo(read.echo) };
  };
}

function readItems(operation: Strict, shape: NonNullable<Strict['batch']>, { params, items }: Sent): ReadCall {
  const beside = readParams(paramsBeside(operation.params), params);
  if (shape.users) return operation.envelope === 'batch' ? { ...beside, echo: [] } : beside;
  const batch = readBatch(shape, items, beside.echo);
  const { itemIssues } = batch;
  const issues = [...beside.issues, ...batch.issues];
  return { values: { ...beside.values, operations: batch.items }, echo: batch.echo, issues, itemIssues };
}

/**
 * Reads the users of a batch, which take so long that other work is done in between.
 * @param beside the call as it was read without them
 */
export async function readUsersOf({ operation, items, json }: Call, beside: ReadCall): Promise<ReadCall> {
  const shape = operation.batch?.users;
  if (!shape || beside.issues.length > 0) return beside;
  const { packed, issues, itemIssues, echo } = await readUsers(json ?? jsonOf(items), shape);
  return {
    values: { ...beside.values, operations: packed },
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
