/** The errors that an operation can return: those that it declares, and those that follow from its other facts. */
import { fieldsOf, isRequired, pathParameters } from '../operation/fields.ts';
import { type AnyOperation, isRead } from '../operation/operation.ts';
import { wireTypeOf } from '../wire/types.ts';
import { errorStatus } from './catalogue.ts';
import type { ErrorName } from './error-name.ts';
import { type Fact, impliedErrors } from './implied-errors.ts';

/** Returns all errors of an operation, each once, by status and name. `ErrorsOf` is the type-level counterpart. */
export function errorsOf(operation: AnyOperation): readonly ErrorName[] {
  const rejection = rejectionOf(operation);
  const implied = [...factsOf(operation)].flatMap<ErrorName>((fact) => impliedErrors[fact]);
  return [...new Set([...operation.errors, ...(rejection === undefined ? [] : [rejection]), ...implied])].sort(
    (one, other) => errorStatus(one) - errorStatus(other) || (one < other ? -1 : 1),
  );
}

function rejectionOf(operation: AnyOperation): ErrorName | undefined {
  return operation.kind === 'auth' ? operation.rejection : undefined;
}

/** Yields the facts of an operation that imply errors. `FactsOf` is the type-level counterpart. */
function* factsOf(operation: AnyOperation): Generator<Fact> {
  const { kind, batch, exclusive } = operation;
  const isWrite = !isRead(operation);
  yield 'any';
  if (kind !== 'operator') yield 'http';
  if (kind !== 'operator' && isWrite) yield 'body';
  if (rejectionOf(operation) !== undefined) return;
  yield* ['specific', kind] as const;
  if ((kind === 'ads' || kind === 'upload') && isWrite) yield 'write';
  if ('capability' in operation.access) {
    yield 'capability';
    if (isWrite) yield 'capability write';
  }
  if (kind === 'control' && 'world_id' in operation.params.shape) yield 'world';
  if (kind === 'upload') {
    yield `version ${operation.version}`;
    if (operation.bytes) yield 'required';
  }
  if (batch) yield 'batch';
  if (exclusive?.length) yield 'exclusive';
  const inPath = pathParameters(operation);
  // The parameters of a batch are those of its items.
  const schemas = batch ? [batch.Create, batch.Update, batch.Delete] : [operation.params];
  for (const [name, schema] of schemas.flatMap((known) => (known ? fieldsOf(known) : []))) {
    if (isRequired(schema) && !inPath.includes(name)) yield 'required';
    if (wireTypeOf(schema)?.kind === 'text') yield 'text';
  }
}
