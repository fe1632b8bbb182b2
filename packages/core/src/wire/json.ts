/**
 * JSON with exact whole numbers. Money in micros and numeric ids exceed 2^53 in real use, and JSON carries them as
 * plain numbers, so both directions keep every digit: numbers outside the safe range are read as `bigint`, and a
 * `bigint` is written as its digits.
 */

interface SourceText {
  readonly source?: string;
}

/** Digits of the least whole number that a double may not represent. */
export const LONG_DIGITS = 16;
const WHOLE_NUMBER = /^-?\d+$/;

/** Bounds of the signed 64-bit integers that columns and wire share. */
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/**
 * Parses JSON text; whole numbers that a double cannot represent become `bigint`, everything else is as in
 * `JSON.parse`.
 * @param hasLong whether a number may have {@link LONG_DIGITS} or more, where that is known
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string, hasLong: boolean = hasLongDigits(text)): unknown {
  // The reviver makes parsing several times slower; without a run of 16 digits it is not needed.
  if (!hasLong) return JSON.parse(text);
  return JSON.parse(text, (_key: string, value: unknown, context?: SourceText) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source;
    return source !== undefined && WHOLE_NUMBER.test(source) ? BigInt(source) : value;
  });
}

/** Returns whether a text has a run of {@link LONG_DIGITS} digits: any such run has one at a multiple of that, so few places are looked at. */
function hasLongDigits(text: string): boolean {
  for (let place = LONG_DIGITS - 1; place < text.length; place += LONG_DIGITS) {
    let from = place;
    while (from >= 0 && isDigit(text.charCodeAt(from))) from -= 1;
    if (from === place) continue;
    let to = place + 1;
    while (to - from <= LONG_DIGITS && isDigit(text.charCodeAt(to))) to += 1;
    if (to - from > LONG_DIGITS) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * A value that is stored in the form that responses contain. An adapter that writes JSON text uses `text` as it is; one
 * that returns values parses it.
 */
export class JsonText {
  readonly text: string;

  /** @param text JSON of a value that conforms to the contract */
  constructor(text: string) {
    this.text = text;
  }
}

/** The largest body that the advertising interface accepts (specification B, Limits). */
export const MAX_BODY_BYTES = 5_000_000;

/** Writes JSON text; a `bigint` becomes its digits, keys whose value is `undefined` are omitted. */
export function stringifyJson(value: unknown): string {
  return write(value) ?? 'null';
}

/**
 * The same in steps, for what takes long to write: one for each member of an object, where at most `depth` objects lie in each other
 * around it.
 */
export function* stringifyJsonInSteps(value: unknown, depth: number): Generator<undefined, string> {
  return (yield* writeInSteps(value, depth)) ?? 'null';
}

function* writeInSteps(value: unknown, depth: number): Generator<undefined, string | undefined> {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return write(value);
  let text = '';
  for (const [key, member] of Object.entries(value)) {
    const written = yield* writeInSteps(member, depth - 1);
    if (written !== undefined) text += `${text === '' ? '' : ','}${quoteJson(key)}:${written}`;
    yield;
  }
  return `{${text}}`;
}

// Quotes, backslashes, control characters and surrogates are the characters that JSON text must escape.
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Quotes a text as JSON. Most texts need no escaping, and checking that is cheaper than `JSON.stringify`. */
export function quoteJson(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function write(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoteJson(value);
    case 'bigint':
      return value.toString();
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? writeArray(value) : writeObject(value);
    default:
      return undefined;
  }
}

function writeArray(values: readonly unknown[]): string {
  let text = '';
  for (const value of values) text += `${text === '' ? '' : ','}${write(value) ?? 'null'}`;
  return `[${text}]`;
}

function writeObject(value: object): string {
  let text = '';
  const members: readonly unknown[] = Object.values(value);
  let place = 0;
  for (const key of Object.keys(value)) {
    const written = write(members[place++]);
    if (written !== undefined) text += `${text === '' ? '' : ','}${quoteJson(key)}:${written}`;
  }
  return `{${text}}`;
}
