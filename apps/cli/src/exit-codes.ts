/** Exit codes of the command. Scripts rely on these numbers; `broadside help exit-codes` prints this table. */
export const exitCodes = {
  ok: { code: 0, meaning: 'Done.' },
  refused: { code: 1, meaning: 'The server rejected the request; the reasons are on stderr, one per line.' },
  usage: {
    code: 2,
    meaning: 'The command line is wrong: unknown command, unknown or missing flag, value of the wrong form.',
  },
  unauthenticated: {
    code: 3,
    meaning: 'No usable credentials: none found, incomplete, or not accepted by the server.',
  },
  notFound: { code: 4, meaning: 'There is nothing with this id.' },
  unreachable: { code: 5, meaning: 'The server cannot be reached, or what answers is not Broadside.' },
  unavailable: {
    code: 6,
    meaning: 'The server cannot answer now: rate limit used up, or a failure of its own. Try again later.',
  },
  explained: { code: 7, meaning: 'The doctor found why the request is rejected, or the hash wrong.' },
  unexplained: { code: 8, meaning: 'The doctor found no reason, and the signature or the hash is wrong all the same.' },
  incomplete: { code: 9, meaning: 'Some rows of a file are not valid and were not sent; the others were.' },
  bug: { code: 70, meaning: 'A bug in the command itself. Please report what it printed.' },
  interrupted: {
    code: 130,
    meaning: 'Ended with ^C. An upload of people goes on there when the same command is run again.',
  },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

/** The name of a way to end. */
export type ExitName = keyof typeof exitCodes;

/** The number behind a name. */
export function exitCode(name: ExitName): number {
  return exitCodes[name].code;
}

/**
 * Returns the exit code of an HTTP status.
 * @param codes of the errors: some things that are not there are answered like those that nobody else may see, with 403
 */
export function exitOfStatus(status: number, codes: readonly unknown[] = []): ExitName {
  if (status < 400) return 'ok';
  if (status === 401) return 'unauthenticated';
  if (status === 404) return 'notFound';
  if (status === 403 && codes.length > 0 && codes.every((code) => String(code).endsWith('NOT_FOUND')))
    return 'notFound';
  return status === 429 || status >= 500 ? 'unavailable' : 'refused';
}
