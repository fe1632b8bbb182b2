/** Which errors an operation can answer with: those that it declares, and those that follow from its other facts. */

import { fieldsOf, isRequired, pathParameters } from '../operation/fields.ts';
import { type AnyOperation, isRead } from '../operation/operation.ts';
import { wireTypeOf } from '../wire/types.ts';
import { errorStatus } from './catalogue.ts';
import type { ErrorName } from './error-name.ts';

/** All errors of an operation, each once, by status and name. */
export function errorsOf(operation: AnyOperation): readonly ErrorName[] {
  return [...new Set([...operation.errors, ...impliedErrors(operation)])].sort(
    (one, other) => errorStatus(one) - errorStatus(other) || (one < other ? -1 : 1),
  );
}

function* impliedErrors(operation: AnyOperation): Generator<ErrorName> {
  const { access, http, batch, exclusive, rateLimit } = operation;
  yield 'INTERNAL_ERROR';
  if ('refusal' in operation && operation.refusal !== undefined) {
    yield* [operation.refusal, 'REQUEST_TOO_LARGE', 'UNSUPPORTED_CONTENT_TYPE'] as const;
    return;
  }
  yield 'UNAUTHORIZED_ACCESS';
  if (access.auth === 'uploader') yield* ['INVALID_TOKEN', 'UNSUPPORTED_AUTHENTICATION'] as const;
  if (access.auth !== 'operator') yield 'TIMESTAMP_OUT_OF_BOUNDS';
  if (access.auth === 'user' || access.auth === 'app_or_user')
    yield* ['INVALID_TOKEN', 'UNAUTHORIZED_CLIENT_APPLICATION'] as const;
  else if ('version' in operation && operation.version === '2') yield 'UNAUTHORIZED_CLIENT_APPLICATION';
  else if (access.auth !== 'operator')
    yield* ['BAD_AUTHENTICATION_DATA', ...(access.auth === 'uploader' ? (['APP_SUSPENDED'] as const) : [])] as const;
  if ((access.auth === 'user' || access.auth === 'uploader') && !isRead(operation)) yield 'READONLY_CLIENT_APPLICATION';
  if ('capability' in access) yield* ['ACCOUNT_NOT_FOUND', 'ACTION_NOT_ALLOWED', 'ACCOUNT_DELETED'] as const;
  if (rateLimit !== null) yield 'TOO_MANY_REQUESTS';
  // Also where there are no parameters: a name that is none is refused, and so is a malformed signature.
  yield 'INVALID_PARAMETER';
  if (exclusive?.length) yield 'EXCLUSIVE_PARAMETERS';
  // A path without one of its parameters is another path.
  const inPath = pathParameters(operation);
  const schemas = batch ? [batch.Create, batch.Update, batch.Delete] : [operation.params];
  for (const [name, schema] of schemas.flatMap((known) => (known ? fieldsOf(known) : []))) {
    if (isRequired(schema) && !inPath.includes(name)) yield 'MISSING_PARAMETER';
    if (wireTypeOf(schema)?.kind === 'text') yield 'ILLEGAL_CHARACTERS';
  }
  if ('bytes' in operation && operation.bytes) yield 'MISSING_PARAMETER';
  if (batch) yield* ['REQUEST_TOO_COMPLEX', 'MISSING_PARAMETER'] as const;
  if (http && !isRead(operation)) yield* ['REQUEST_TOO_LARGE', 'UNSUPPORTED_CONTENT_TYPE'] as const;
}
