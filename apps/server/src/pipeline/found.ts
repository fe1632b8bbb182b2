import { ApiError, type ErrorName } from '@broadside/core';

/** A record that can be deleted, or hidden because what it hangs on is. */
interface Deletable {
  readonly deleted: boolean;
  readonly parent_deleted?: boolean;
}

/** How it is told that a record is not there. */
interface Missing {
  readonly error: ErrorName;
  readonly parameter: string;
  readonly value: string;
  readonly message?: string;
}

/**
 * What was looked up by its id, if it is there. What is deleted, or hangs on something that is, counts with deleted records
 * only (specification C, States).
 * @throws ApiError as `missing` says
 */
export async function found<Row extends Deletable>(
  looked: Promise<Row | undefined>,
  withDeleted: boolean,
  missing: Missing,
): Promise<Row> {
  const row = await looked;
  if (row && (withDeleted || !(row.deleted || row.parent_deleted))) return row;
  throw new ApiError(missing);
}
