import type { Verified } from '@broadside/server';

/** What a test expects of the calls of its client: the sentence of a rule, or the description of a call with how often it is expected. */
export type ExpectedCall = string | Readonly<Record<string, unknown>>;

/** The part of a result that an error is made of. */
type Result = Pick<Verified, 'passed' | 'expectations'>;

/**
 * Expectations on the calls of a world do not hold, or calls that its journal has pushed out could decide them. The message says of each
 * what was found, and the nearest calls.
 */
export class UnmetExpectationsError extends Error {
  override readonly name = 'UnmetExpectationsError';
  /** What became of each expectation, also of those that hold; `decided` is false where a forgotten call could be decisive. */
  readonly expectations: Result['expectations'];

  constructor({ expectations }: Result) {
    super(
      expectations
        .filter(({ passed }) => !passed)
        .map(sentence)
        .join('\n'),
    );
    this.expectations = expectations;
  }
}

/** @throws UnmetExpectationsError where one does not hold */
export function demandAll(result: Result): void {
  if (!result.passed) throw new UnmetExpectationsError(result);
}

function sentence({ name, message, nearest }: Result['expectations'][number]): string {
  // The nearest one is in the message.
  const others = nearest.slice(1).map(({ id, operation, status, differs }) => {
    const how = differs.map(({ of, expected, sent }) => `${of} was ${sent ?? 'not sent'} instead of ${expected}`);
    return `\n    ${operation ?? 'a call of no operation'} (${id}, ${status}): ${how.join(', ')}`;
  });
  return `${name === message ? '' : `${name}: `}${message}${others.join('')}`;
}
