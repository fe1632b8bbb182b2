/** `--query`: a JMESPath expression over what would be printed as JSON. */
import { UsageError } from './errors.ts';
import type { Flag } from './flag.ts';
import type { FlagValues } from './flags.ts';
import type { Io } from './io.ts';
import { prettyJson } from './json.ts';

/** The flag. */
export const queryFlag: Flag = {
  name: 'query',
  kind: 'text',
  hint: 'expression',
  description: 'A part of the JSON, by a JMESPath expression such as [].id. A text alone is printed without quotes.',
};

/** A query that was read. */
export interface Query {
  /** Prints what it selects: a text as it is, all else as JSON. @throws UsageError where it does not suit the data */
  print(io: Pick<Io, 'stdout'>, value: unknown): Promise<void>;
}

/** Reads the flag; `undefined` when it is not given. @throws UsageError for an expression that cannot be read */
export async function readQuery(flags: FlagValues): Promise<Query | undefined> {
  const expression = flags.text('query');
  if (expression === undefined) return undefined;
  const { search, JMESPathError, JMESPathTypeError } = await import('@aws-lambda-powertools/jmespath');
  const evaluate = (value: object | string | number | boolean | null) => {
    try {
      return search(expression, value);
    } catch (error) {
      if (error instanceof JMESPathError) throw cannotUse(error);
      throw error;
    }
  };
  // Mistakes of the language are reported before a request is sent. Whether arguments suit depends on the data.
  try {
    search(expression, null);
  } catch (error) {
    if (error instanceof JMESPathError && !(error instanceof JMESPathTypeError)) throw cannotUse(error);
  }
  return {
    print: async ({ stdout }, value) => {
      const selected = evaluate(comparable(value));
      await stdout.write(`${typeof selected === 'string' ? selected : prettyJson(selected ?? null)}\n`);
    },
  };
}

function cannotUse({ message }: Error): UsageError {
  return new UsageError(`--query cannot be used: ${message.replace(/^Invalid jmespath expression: /, '')}`, [
    "The language is JMESPath (https://jmespath.org): texts stand in '...', numbers in `...`, as in [?count > `10`].",
  ]);
}

/** Whole numbers as the language compares them. Those beyond 2^53 keep their digits, and are passed on as they are. */
function comparable(value: unknown): object | string | number | boolean | null {
  if (Array.isArray(value)) return value.map(exactOrNumber);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exactOrNumber(member)]));
  }
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function exactOrNumber(value: unknown): unknown {
  return typeof value === 'bigint' && !Number.isSafeInteger(Number(value)) ? value : comparable(value);
}
