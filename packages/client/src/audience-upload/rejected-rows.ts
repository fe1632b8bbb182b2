/** Rows that a server rejected although they looked valid here: a newer server, or another clock. */
import { identifierKinds } from '@broadside/core/identifiers';
import { ApiResponseError } from '../errors.ts';
import type { RowProblem } from './rows.ts';

/**
 * Finds the rows that a rejection is about.
 * @param rows for each operation of the request the row of each of its users
 */
export function rejectedRows(cause: unknown, rows: readonly (readonly number[])[]): RowProblem[] {
  if (!(cause instanceof ApiResponseError)) return [];
  return (cause.operation_errors ?? []).flatMap((errors, operation) =>
    errors.flatMap(({ parameter, message }) => {
      const [, user, kind] = /users\[(\d+)\](?:\.(\w+))?/.exec(parameter ?? '') ?? [];
      const row = rows[operation]?.[Number(user)];
      if (row === undefined) return [];
      return [{ row, field: identifierKinds.find((known) => known === kind), message }];
    }),
  );
}
