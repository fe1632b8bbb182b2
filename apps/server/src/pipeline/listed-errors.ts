/** Holds handlers to the errors that their operations list, at run time: types do so where handlers are written. */
import { type AnyOperation, ApiError, BatchError, type ErrorName, errorsOf } from '@broadside/core';

const listedErrors = new WeakMap<AnyOperation, ReadonlySet<ErrorName>>();

function listed(operation: AnyOperation): ReadonlySet<ErrorName> {
  const known = listedErrors.get(operation);
  if (known) return known;
  const names = new Set(errorsOf(operation));
  // The account can be deleted between its lookup and a write; on the wire the code is that of a missing account.
  if (names.has('ACCOUNT_NOT_FOUND')) names.add('ACCOUNT_DELETED');
  listedErrors.set(operation, names);
  return names;
}

function issuesOf(error: unknown) {
  if (error instanceof ApiError) return error.issues;
  return error instanceof BatchError ? error.items.flat() : [];
}

/**
 * Returns the error that a handler threw, unless its operation does not list it. That is a bug: clients and documentation do
 * not expect it, so it becomes an exception like any other, which is logged and reported with 500.
 */
export function asListed(operation: AnyOperation, error: unknown): unknown {
  // One error replaces all that such an operation throws.
  if (operation.kind === 'auth' && operation.rejection !== undefined) return error;
  const names = listed(operation);
  const unlisted = issuesOf(error).flatMap(({ error: name }) => (names.has(name) ? [] : [name]));
  if (unlisted.length === 0) return error;
  return new Error(`${operation.id} answered with ${[...new Set(unlisted)].join(', ')}, which it does not list`, {
    cause: error,
  });
}
