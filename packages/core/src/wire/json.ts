/**
 * JSON with exact whole numbers. Money in micros and numeric ids pass 2^53 in real use, and JSON carries them as plain
 * numbers, so both directions keep every digit: numbers outside the safe range are read as `bigint`, and a `bigint` is
 * written as its digits.
 */

interface SourceText {
  readonly source?: string;
}

const LONG_DIGITS = /\d{16}/;
const WHOLE_NUMBER = /^-?\d+$/;

/** Bounds of the signed 64-bit integers that columns and wire share. */
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/**
 * Parses JSON text; whole numbers that a double cannot hold become `bigint`, everything else is as `JSON.parse` gives it.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  // The reviver makes parsing several times slower; without a run of 16 digits there is nothing for it to do.
  if (!LONG_DIGITS.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key: string, value: unknown, context?: SourceText) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source;
    return source !== undefined && WHOLE_NUMBER.test(source) ? BigInt(source) : value;
  });
}

/** Writes JSON text; a `bigint` becomes its digits, keys whose value is `undefined` are left out. */
export function stringifyJson(value: unknown): string {
  return write(value) ?? 'null';
}

function write(value: unknown): string | undefined {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'string':
    case 'number':
    case 'boolean':
      return JSON.stringify(value);
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? writeArray(value) : writeObject(value);
    default:
      return undefined;
  }
}

function writeArray(values: readonly unknown[]): string {
  return `[${values.map((value) => write(value) ?? 'null').join(',')}]`;
}

function writeObject(value: object): string {
  let text = '{';
  for (const [key, member] of Object.entries(value)) {
    const written = write(member);
    if (written === undefined) continue;
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${written}`;
  }
  return `${text}}`;
}
