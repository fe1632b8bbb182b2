/** Ways to fail that are not bugs. Anything else that is thrown is one, and is reported as one. */
import type { ExitName } from './exit-codes.ts';

/** A failure that the user can do something about. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly exit: ExitName;
  /** Further lines below the message: reasons, then what to do. */
  readonly lines: readonly string[];

  constructor(exit: ExitName, message: string, lines: readonly string[] = [], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exit = exit;
    this.lines = lines;
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

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
