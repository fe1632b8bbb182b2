/** Failures as text on stderr and as an exit code. The one place that decides both. */
import { stringifyJson, type WireError } from '@broadside/core';
import { CliError, type FailureDetails, messageOf, OutputClosed } from './errors.ts';
import { type ExitName, exitCode, exitOfStatus } from './exit-codes.ts';
import type { Io } from './io.ts';
import { painter } from './paint.ts';
import { printable } from './text.ts';
import { version } from './version.ts';

/** Printed text and exit code of a failure. */
export interface Report {
  readonly exit: ExitName;
  readonly message: string;
  readonly lines: readonly string[];
  /** For programs. */
  readonly details?: FailureDetails;
}

/** One reason of the server, on one line: code, parameter, message. */
function reasonLine({ code, parameter, attribute, message }: WireError, where = ''): string {
  const about = parameter ?? attribute;
  return printable(`${where}${code}${about === undefined ? '' : ` ${about}`}: ${message}`);
}

/** The reasons of a rejection, one per line. */
export function reasonLines(
  errors: readonly WireError[],
  operation_errors: readonly (readonly WireError[])[] = [],
): string[] {
  return [
    ...errors.map((error) => reasonLine(error)),
    ...operation_errors.flatMap((item, index) => item.map((error) => reasonLine(error, `operations[${index}] `))),
  ];
}

/** Converts a failure of any kind to its report. */
export async function reportOf(error: unknown): Promise<Report> {
  if (error instanceof OutputClosed) return { exit: 'ok', message: '', lines: [] };
  if (error instanceof CliError) {
    const { exit, message, lines, details } = error;
    return { exit, message, lines, details };
  }
  return (await clientReport(error)) ?? bugReport(error);
}

async function clientReport(error: unknown): Promise<Report | undefined> {
  const client = await import('@broadside/client');
  if (error instanceof client.ApiResponseError) {
    const { status, errors, operation_errors, retry_at, sent } = error;
    const until = retry_at === undefined ? '' : `; try again at ${retry_at.toISOString()}`;
    const message = `${sent.operation ?? `${sent.method} ${sent.path}`} was rejected with ${status}${until}`;
    const lines = reasonLines(errors, operation_errors);
    const exit = exitOfStatus(
      status,
      errors.map(({ code }) => code),
    );
    const details: FailureDetails = {
      ...(sent.operation === undefined ? {} : { operation: sent.operation }),
      status,
      errors,
      ...(operation_errors === undefined ? {} : { operation_errors }),
      ...(retry_at === undefined ? {} : { retry_at: retry_at.toISOString() }),
    };
    return { exit, message, lines: exit === 'unauthenticated' ? [...lines, STATUS_HINT] : lines, details };
  }
  if (error instanceof client.MediaProcessingError) {
    const hint = error.failure ? [] : [`\`broadside media status ${error.media.id}\` asks again.`];
    return { exit: 'refused', message: printable(error.message), lines: hint };
  }
  if (error instanceof client.CredentialsError) {
    return { exit: 'unauthenticated', message: error.message, lines: [STATUS_HINT] };
  }
  if (error instanceof client.CallError) return { exit: 'usage', message: error.message, lines: [] };
  if (error instanceof client.NetworkError) {
    return {
      exit: 'unreachable',
      message: error.message,
      lines: networkHints(error.mayHaveHappened, error.sent.method),
    };
  }
  if (error instanceof client.UnexpectedResponseError) {
    const exit = error.status >= 500 ? 'unavailable' : 'unreachable';
    return { exit, message: printable(error.message), lines: [] };
  }
  return undefined;
}

const STATUS_HINT = '`broadside auth status` shows which credentials are in use.';

/** Suggests a remedy when there was no response. */
export function networkHints(mayHaveHappened: boolean, method: string): string[] {
  if (!mayHaveHappened) {
    return [
      'Is the server running? Start one with `broadside start`; `broadside auth status` shows the addresses in use.',
    ];
  }
  return method === 'GET' ? [] : ['The request may have taken effect. Look before you repeat it.'];
}

function bugReport(error: unknown): Report {
  const stack = error instanceof Error && error.stack ? error.stack.split('\n').slice(1) : [];
  const cause = error instanceof Error && error.cause !== undefined ? [`caused by: ${messageOf(error.cause)}`] : [];
  return {
    exit: 'bug',
    message: `a bug in the command itself: ${messageOf(error)}`,
    lines: [
      ...stack,
      ...cause,
      `Please report this, with the command line. broadside ${version()}, Node ${process.version}`,
    ],
  };
}

/**
 * Prints a failure.
 * @param asJson one JSON document on a line of its own, for programs
 */
export async function printReport(io: Io, { exit, message, lines, details }: Report, asJson = false): Promise<void> {
  if (message === '') return;
  if (asJson) {
    const error = {
      kind: exit,
      exit_code: exitCode(exit),
      message,
      lines: lines.map((line) => line.trim()),
      ...details,
    };
    await io.stderr.write(`${stringifyJson({ error })}\n`);
    return;
  }
  const paint = painter(io.stderr, io.env);
  await io.stderr.write(
    `${paint('red', 'broadside:')} ${message}\n${lines.map((line) => `  ${line.trimStart()}\n`).join('')}`,
  );
}
