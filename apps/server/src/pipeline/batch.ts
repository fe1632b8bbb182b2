import { ApiError, BatchError, type Issue } from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';

const NO_ISSUES: readonly Issue[] = [];

const faultsBeside = new WeakMap<readonly unknown[], readonly (readonly Issue[])[]>();

/**
 * Marks the items of a batch as what is left of it: others could not be read. They are tried, so that one response has the
 * errors of all, and {@link runItems} and {@link mapItems} fail in any case.
 * @param faults the issues of each item of the batch; those of the items left are empty
 */
function leftBeside<Items extends readonly unknown[]>(items: Items, faults: readonly (readonly Issue[])[]): Items {
  faultsBeside.set(items, faults);
  return items;
}

/**
 * Runs the items of a batch in their order, inside the transaction of the caller. Every item is tried even after one has
 * failed, so that one response lists the errors of all; then the batch fails as a whole.
 * @throws BatchError with the issues of each item
 */
export async function runItems<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Awaitable<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const issues: (readonly Issue[])[] = [];
  for (const item of items) {
    try {
      const result = run(item);
      results.push(result instanceof Promise ? await result : result);
      issues.push(NO_ISSUES);
    } catch (error) {
      issues.push(issuesOf(error));
    }
  }
  check(items, issues);
  return results;
}

/** The same for items that wait for nothing: there can be thousands, and a promise for each would be most of the work. */
export function mapItems<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Result[] {
  const results: Result[] = [];
  const issues: (readonly Issue[])[] = [];
  for (const item of items) {
    try {
      results.push(map(item));
      issues.push(NO_ISSUES);
    } catch (error) {
      issues.push(issuesOf(error));
    }
  }
  check(items, issues);
  return results;
}

function issuesOf(error: unknown): readonly Issue[] {
  if (error instanceof ApiError) return error.issues;
  throw error;
}

function check(items: readonly unknown[], issues: readonly (readonly Issue[])[]): void {
  const faults = faultsBeside.get(items);
  if (faults) {
    const tried = issues.values();
    throw new BatchError(faults.map((list) => (list.length > 0 ? list : (tried.next().value ?? NO_ISSUES))));
  }
  if (issues.some((list) => list.length > 0)) throw new BatchError(issues);
}

/** The items of a batch that have no issues, as its handler takes them; `undefined` where there are none. */
export function othersOf(operations: unknown, itemIssues: readonly (readonly Issue[])[]): unknown {
  if (Array.isArray(operations)) {
    const others = operations.filter((_, index) => itemIssues[index]?.length === 0);
    return others.length === 0 ? undefined : leftBeside(others, itemIssues);
  }
  if (!isPacked(operations) || operations.operations.length === 0) return undefined;
  return { ...operations, operations: leftBeside(operations.operations, itemIssues) };
}

function isPacked(value: unknown): value is { readonly operations: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'operations' in value && Array.isArray(value.operations);
}
