/**
 * JSON with exact whole numbers. Money in micros and numeric ids exceed 2^53 in real use, and JSON carries them as
 * plain numbers, so both directions keep every digit: numbers outside the safe range are read as `bigint`, and a
 * `bigint` is written as its digits.
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
 * Parses JSON text; whole numbers that a double cannot represent become `bigint`, everything else is as in
 * `JSON.parse`.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  // The reviver makes parsing several times slower; without a run of 16 digits it is not needed.
  if (!LONG_DIGITS.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key: string, value: unknown, context?: SourceText) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source;
    return source !== undefined && WHOLE_NUMBER.test(source) ? BigInt(source) : value;
  });
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

/** Maximum nesting depth of a request's arrays and objects; the deepest that the contract describes is 25, of a flexible audience. */
export const MAX_JSON_DEPTH = 32;

/** A reason to reject a JSON text as parameters although it is valid JSON. */
export interface JsonFault {
  readonly reason: 'too deep' | 'duplicate name';
  /** The name that occurs twice in an object. */
  readonly name?: string;
}

/**
 * Looks for problems that `JSON.parse` ignores: a name given twice in one object, of which it would keep the last, and
 * nesting so deep that a recursive walk would exhaust the stack.
 * @param text valid JSON
 */
export function findJsonFault(text: string): JsonFault | undefined {
  // The names of each open object; undefined for an open array.
  const open: (Set<string> | undefined)[] = [];
  let name: string | undefined;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        name = text.slice(at + 1, end);
        at = end;
        break;
      }
      case COLON: {
        const names = open.at(-1);
        // A name can be written in several ways with escapes.
        const read = name?.includes('\\') ? String(JSON.parse(`"${name}"`)) : (name ?? '');
        if (names?.has(read)) return { reason: 'duplicate name', name: read };
        names?.add(read);
        break;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (open.length === MAX_JSON_DEPTH) return { reason: 'too deep' };
        open.push(text.charCodeAt(at) === OPEN_OBJECT ? new Set() : undefined);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop();
    }
  }
  return undefined;
}

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** Writes JSON text; a `bigint` becomes its digits, keys whose value is `undefined` are omitted. */
export function stringifyJson(value: unknown): string {
  return write(value) ?? 'null';
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
  for (const [key, member] of Object.entries(value)) {
    const written = write(member);
    if (written !== undefined) text += `${text === '' ? '' : ','}${quoteJson(key)}:${written}`;
  }
  return `{${text}}`;
}
