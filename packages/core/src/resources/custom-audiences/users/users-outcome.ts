import type { Issue } from '../../../wire/issues.ts';
import { timestampMs } from '../../../wire/timestamp.ts';
import type { PackedOperation, PackedUsers } from './packed-users.ts';

/** One operation as `request` repeats it: without users. */
export interface UsersEcho {
  /** Null for one that does not exist. */
  readonly operation_type: 'Update' | 'Delete' | null;
  readonly params: { readonly effective_at?: string; readonly expires_at?: string };
}

/** The outcome of reading a batch of users. */
export interface ReadUsers {
  /** The batch; `undefined` if there are issues. */
  readonly packed: PackedUsers | undefined;
  /** If there are issues of operations: the other operations, without users. `undefined` where too many issues were found. */
  readonly others?: PackedUsers | undefined;
  /** Errors of the request as a whole. */
  readonly issues: readonly Issue[];
  /** Errors of the operations, one list for each operation that was read. */
  readonly itemIssues: readonly (readonly Issue[])[];
  readonly echo: readonly UsersEcho[];
}

/** Most errors of operations that are reported of one body. */
export const MAX_USERS_ISSUES = 100;

/** The parts of an operation that have been read. Times are canonical timestamps. */
export interface OperationInReading {
  operation_type: 'Update' | 'Delete' | undefined;
  effective_at: string | undefined;
  expires_at: string | undefined;
}

// Most operations have no issues and give no times. These are the same for all of them: a body has thousands.
const NO_ISSUES: readonly Issue[] = [];
const NO_TIMES: UsersEcho['params'] = {};

function timesOf(effective_at: string | undefined, expires_at: string | undefined): UsersEcho['params'] {
  if (effective_at === undefined) return expires_at === undefined ? NO_TIMES : { expires_at };
  return expires_at === undefined ? { effective_at } : { effective_at, expires_at };
}

/** Collects what a reader finds: operations, and what is wrong with them. */
export class UsersOutcome {
  /** Nothing is wrong so far. */
  isSound = true;
  readonly #operations: PackedOperation[] = [];
  readonly #echo: UsersEcho[] = [];
  readonly #issues: Issue[] = [];
  readonly #itemIssues: (readonly Issue[])[] = [];
  /** Those of the operation that was begun last, if there are any. */
  #ownIssues: Issue[] | undefined;
  #reported = 0;

  /** Number of operations that were begun. */
  get count(): number {
    return this.#itemIssues.length;
  }

  beginOperation(): void {
    this.#itemIssues.push(NO_ISSUES);
    this.#ownIssues = undefined;
  }

  endOperation({ operation_type, effective_at, expires_at }: OperationInReading, user_count: number): void {
    this.#echo.push({
      operation_type: operation_type ?? null,
      params: timesOf(effective_at, expires_at),
    });
    if (!operation_type || this.#ownIssues) return;
    this.#operations.push({
      operation_type,
      effective_at: effective_at === undefined ? undefined : timestampMs(effective_at),
      expires_at: expires_at === undefined ? undefined : timestampMs(expires_at),
      user_count,
    });
  }

  /** Rejects the operation that was begun last. */
  report(issue: Issue): void {
    this.isSound = false;
    if (this.#reported++ >= MAX_USERS_ISSUES) return;
    if (this.#ownIssues) this.#ownIssues.push(issue);
    else {
      this.#ownIssues = [issue];
      this.#itemIssues[this.#itemIssues.length - 1] = this.#ownIssues;
    }
  }

  /** Rejects the request as a whole. */
  reject(issue: Issue): void {
    this.isSound = false;
    this.#issues.splice(0, this.#issues.length, issue);
  }

  finish(user_count: number, users: () => Uint8Array): ReadUsers {
    const isTryable = !this.isSound && this.#issues.length === 0 && this.#reported <= MAX_USERS_ISSUES;
    return {
      ...(isTryable ? { others: { operations: this.#operations, user_count: 0, users: new Uint8Array() } } : {}),
      packed: this.isSound ? { operations: this.#operations, user_count, users: users() } : undefined,
      issues: this.#issues,
      itemIssues: this.#itemIssues,
      echo: this.#echo,
    };
  }
}
