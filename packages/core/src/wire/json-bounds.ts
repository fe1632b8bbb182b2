/**
 * Bounds of the JSON that a server reads. They are verified on the text, in one pass over it and before it is parsed: a text of
 * the allowed size may otherwise occupy the process for seconds, by a number of a million digits or by a million of empty objects.
 */
import { resultOf } from '../steps.ts';
import { LONG_DIGITS, parseJson } from './json.ts';
import { findSyntaxFault, showSyntaxFault } from './json-syntax.ts';

/** Maximum nesting depth of a request's arrays and objects; the deepest that the contract describes is 25, of a flexible audience. */
export const MAX_JSON_DEPTH = 32;

/**
 * Maximum number of values in a request: members of objects and elements of arrays. The largest request of the contract, a batch
 * of 500 targeting criteria, has some 4,000. Batches of users are read as a stream and are not bounded by this.
 */
export const MAX_JSON_VALUES = 10_000;

/** Maximum characters of a number: the longest that is of use, a double in full, has 25. */
export const MAX_NUMBER_LENGTH = 100;

/** Maximum number of escapes in all texts of a request: a body of the largest size that writes each character as `\u0041` has fewer. */
export const MAX_JSON_ESCAPES = 1_000_000;

/** A reason to reject a text as the JSON of parameters; it may be valid JSON unless the reason is `not json`. */
export interface JsonFault {
  readonly reason: 'not json' | 'too deep' | 'too many values' | 'too many escapes' | 'long number' | 'duplicate name';
  /** The name that occurs twice in an object. */
  readonly name?: string;
  /** Line, column and problem of what is not JSON. */
  readonly syntax?: string;
}

/** JSON as it was read, or why it was not. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: JsonFault };

/**
 * Reads JSON that somebody else wrote, within the bounds above and with each name of an object once.
 * @param maxValues the most members and elements
 * @returns the value, whole numbers beyond 2^53 as `bigint`, or the first fault
 */
export function readJson(text: string, maxValues: number = MAX_JSON_VALUES): ReadJson {
  return resultOf(readJsonInSteps(text, maxValues));
}

/** The same in steps, between which other work can pass: a large text takes tens of milliseconds. */
export function* readJsonInSteps(text: string, maxValues: number = MAX_JSON_VALUES): Generator<undefined, ReadJson> {
  const { fault, hasLongNumber } = yield* scanInSteps(text, maxValues);
  if (fault && fault.reason !== 'duplicate name') return { ok: false, fault };
  try {
    const value = parseJson(text, hasLongNumber);
    return fault ? { ok: false, fault } : { ok: true, value };
  } catch {
    const syntax = findSyntaxFault(text);
    return { ok: false, fault: { reason: 'not json', ...(syntax ? { syntax: showSyntaxFault(syntax) } : {}) } };
  }
}

/** The message to a caller whose JSON is rejected. */
export function jsonFaultMessage(fault: JsonFault): string {
  switch (fault.reason) {
    case 'not json':
      return `The body is not valid JSON${fault.syntax === undefined ? '' : `: ${fault.syntax}`}`;
    case 'too deep':
      return 'The arrays and objects of the body lie too deep in each other';
    case 'too many values':
      return 'The body has too many values; send it in parts';
    case 'too many escapes':
      return `The texts of the body have more than ${MAX_JSON_ESCAPES} escapes such as \\n; send it in parts`;
    case 'long number':
      return `A number in the body has more than ${MAX_NUMBER_LENGTH} characters`;
    case 'duplicate name':
      return `"${fault.name?.slice(0, 100)}" is given more than once; send each parameter once`;
  }
}

/**
 * Looks for what exceeds the bounds, and for a name given twice in one object, of which `JSON.parse` would keep the last. The
 * first excess ends the search; a duplicate name is reported where there is none.
 * @param text JSON, or any other text, where the result says nothing about its validity
 */
export function findJsonFault(text: string, maxValues: number = MAX_JSON_VALUES): JsonFault | undefined {
  return resultOf(scanInSteps(text, maxValues)).fault;
}

interface Scan {
  readonly fault: JsonFault | undefined;
  /** A number may have more digits than a double represents. It is known where nothing exceeds the bounds. */
  readonly hasLongNumber: boolean;
}

function exceeding(reason: Exclude<JsonFault['reason'], 'duplicate name' | 'not json'>): Scan {
  return { fault: { reason }, hasLongNumber: false };
}

/** Tokens, and characters of texts with escapes, that are looked at in one step. */
const STEP_TOKENS = 4_000;
const STEP_CHARACTERS = 100_000;

function* scanInSteps(text: string, maxValues: number): Generator<undefined, Scan> {
  // The names of each open object; undefined for an open array.
  const open: (Set<string> | undefined)[] = [];
  const strings = new Strings(text);
  let values = 0;
  let tokens = 0;
  let hasLongNumber = false;
  let name: string | undefined;
  let duplicate: JsonFault | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) {
      if (text.charCodeAt(at + LONG_BLANKS) <= SPACE) at = endOfBlanks(text, at) - 1;
      continue;
    }
    tokens += 1;
    // A value comes with a name, a colon, a comma and brackets at most; more tokens are no JSON.
    if (values > maxValues || tokens > 6 * maxValues) return exceeding('too many values');
    if (tokens % STEP_TOKENS === 0) yield;
    switch (code) {
      case QUOTE: {
        let end = strings.endOf(at);
        while (end === undefined) {
          yield;
          end = strings.goOn();
        }
        if (strings.escapes > MAX_JSON_ESCAPES) return exceeding('too many escapes');
        // Only the text before a colon is a name, and cutting text out is not free.
        name = isFollowedByColon(text, end + 1) ? text.slice(at + 1, end) : undefined;
        at = end;
        break;
      }
      case COLON: {
        const names = open.at(-1);
        if (!names || duplicate || name === undefined) break;
        const read = nameOf(name);
        if (names.has(read)) duplicate = { reason: 'duplicate name', name: read };
        names.add(read);
        break;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (open.length === MAX_JSON_DEPTH) return exceeding('too deep');
        open.push(code === OPEN_OBJECT ? new Set() : undefined);
        values += 1;
        break;
      case COMMA:
        values += 1;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop();
        break;
      default: {
        const end = endOfScalar(text, at);
        if (end - at > MAX_NUMBER_LENGTH) return exceeding('long number');
        if (end - at >= LONG_DIGITS) hasLongNumber = true;
        at = end - 1;
      }
    }
  }
  return { fault: duplicate, hasLongNumber };
}

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
export const COLON = 0x3a;
const COMMA = 0x2c;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** A name can be written in several ways with escapes. */
function nameOf(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}

/** From so many blanks on, a search takes less than looking at each. */
const LONG_BLANKS = 8;
const NO_BLANK = /[^\u0000-\u0020]/g;

function endOfBlanks(text: string, start: number): number {
  NO_BLANK.lastIndex = start;
  return NO_BLANK.test(text) ? NO_BLANK.lastIndex - 1 : text.length;
}

/** Characters that are looked at one by one after each escape: others follow it, more often than not. */
const LOOKED_AT = 64;

/** Finds the ends of the strings of a text, in their order, and counts their escapes. */
class Strings {
  /** So far. The count ends soon after the bound. */
  escapes = 0;
  readonly #text: string;
  /** A place up to which there is no backslash from where the last string was looked for: found once for many strings. */
  #backslash = -1;
  /** The same of quotes. */
  #quote = -1;
  /** The place in a string whose end is not found yet. */
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The end of a string: its closing quote, or the end of the text, or any place where there are too many escapes. `undefined` where
   * that is further than one step looks; {@link goOn} looks on.
   */
  endOf(start: number): number | undefined {
    this.#at = start + 1;
    return this.goOn();
  }

  goOn(): number | undefined {
    const text = this.#text;
    let at = this.#at;
    const enough = at + STEP_CHARACTERS;
    while (at < text.length) {
      if (this.#quote < at) this.#quote = indexFrom(text, '"', at);
      if (this.#backslash < at) this.#backslash = indexFrom(text, '\\', at);
      if (this.#quote <= this.#backslash) return this.#quote;
      // A search for each of millions of escapes would take several times as long.
      at = this.#backslash;
      let left = MAX_JSON_ESCAPES - this.escapes;
      for (let until = at + LOOKED_AT; at < text.length && at < until && left >= 0; at += 1) {
        const code = text.charCodeAt(at);
        if (code === QUOTE) break;
        if (code !== BACKSLASH) continue;
        // Whatever follows in place of four digits, no parser reads beyond this escape then.
        at += text.charCodeAt(at + 1) === LETTER_U ? 5 : 1;
        left -= 1;
        until = Math.min(at + LOOKED_AT, enough);
      }
      this.escapes = MAX_JSON_ESCAPES - left;
      if (this.escapes > MAX_JSON_ESCAPES) return at;
      if (at >= enough) {
        this.#at = at;
        return undefined;
      }
    }
    return text.length;
  }
}

/** The place of a character; the length of the text where there is none. */
function indexFrom(text: string, character: string, start: number): number {
  const at = text.indexOf(character, start);
  return at === -1 ? text.length : at;
}

function isFollowedByColon(text: string, start: number): boolean {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COLON) return true;
    if (code !== SPACE && code !== TAB && code !== LINE_FEED && code !== CARRIAGE_RETURN) return false;
  }
  return false;
}

/** The end of a number or a literal, or of other text that is none; at most one character beyond the bound. */
function endOfScalar(text: string, start: number): number {
  const last = Math.min(text.length, start + MAX_NUMBER_LENGTH + 1);
  let at = start + 1;
  while (at < last && !ENDS_SCALAR.has(text.charCodeAt(at))) at += 1;
  return at;
}

const SPACE = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const ENDS_SCALAR: ReadonlySet<number> = new Set([
  ...[QUOTE, COLON, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT],
  ...[SPACE, TAB, LINE_FEED, CARRIAGE_RETURN],
]);
