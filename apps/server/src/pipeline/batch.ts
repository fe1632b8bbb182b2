import { ApiError, BatchError, type Issue } from '@broadside/core';

/**
 * Runs the items of a batch in their order, inside the transaction of the caller. Every item is tried even after one has
 * failed, so that one response lists the errors of all; then the batch fails as a whole.
 * @throws BatchError with the issues of each item
 */
export async function runItems<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const issues: (readonly Issue[])[] = [];
  for (const item of items) {
    try {
      results.push(await run(item));
      issues.push([]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      issues.push(error.issues);
    }
  }
  if (issues.some((list) => list.length > 0)) throw new BatchError(issues);
  return results;
}
