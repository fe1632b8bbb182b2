/** Ways to fail that are not bugs. Anything else that is thrown is one, and is reported as one. */
import type { WireError } from '@broadside/core';
import type { ExitName } from './exit-codes.ts';

/** The members that a rejection of the server adds to a failure, as `--json` prints it. */
export interface FailureDetails {
  readonly operation?: string;
  readonly status?: number;
  readonly errors?: readonly WireError[];
  readonly operation_errors?: readonly (readonly WireError[])[];
  /** When to try again. */
  readonly retry_at?: string;
}

/** A failure that the user can do something about. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly exit: ExitName;
  /** Further lines below the message: reasons, then what to do. */
  readonly lines: readonly string[];
  /** More about it for programs. */
  readonly details: FailureDetails;

  constructor(
    exit: ExitName,
    message: string,
    lines: readonly string[] = [],
    cause?: unknown,
    details: FailureDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.exit = exit;
    this.lines = lines;
    this.details = details;
  }
}

/** A mistake on the command line. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';

  constructor(message: string, lines: readonly string[] = []) {
    super('usage', message, lines);
  }
}

/** The reader of our output closed it, as `head` does. Not a failure. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** Ends the command with the exit code of another program, without a word: that program has said what there was to say. */
export class PassedExit extends Error {
  override readonly name = 'PassedExit';
  readonly code: number;

  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
