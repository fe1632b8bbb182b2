import type { Issue } from '../../../wire/issues.ts';
import { COLON, QUOTE } from '../../../wire/json-bounds.ts';
import { showCharacter, showSyntaxFault } from '../../../wire/json-syntax.ts';
import { COMMA, scanString, skipBlanks, unescaped } from './json-bytes.ts';
import { Skipper, type ValueFault } from './skipper.ts';

/** The name of a member, or another word, that is looked for. */
export interface KnownName {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The place of the name in its list; other names for the same have the same place, and come after all of the list. */
  readonly place: number;
}

/** Returns the other names that a member may come under. They are ASCII. */
export type OtherNames = (name: string) => readonly string[];

/** Prepares names to be looked for. They are ASCII. */
export function knownNames(list: readonly string[], others?: OtherNames): readonly KnownName[] {
  const known = list.map((name, place) => knownName(name, place));
  if (!others) return known;
  return [...known, ...list.flatMap((name, place) => others(name).map((other) => knownName(other, place)))];
}

function knownName(name: string, place: number): KnownName {
  return { name, bytes: Uint8Array.from(name, (letter) => letter.charCodeAt(0)), place };
}

/** The place of a name that is none of the known ones. */
export const UNKNOWN = -1;

/** Walks through a body in bytes. After a fault it goes no further. */
export class BodyScanner {
  readonly bytes: Uint8Array;
  at = 0;
  /** The reason for which the body is rejected as a whole. */
  fault: Issue | undefined;
  readonly #string = { end: 0, hasEscapes: false };
  #start = 0;
  #skipper: Skipper | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Returns the next byte that is no blank, and goes there. */
  peek(): number | undefined {
    this.at = skipBlanks(this.bytes, this.at);
    return this.bytes[this.at];
  }

  /** Passes over a bracket, if it comes next. */
  takes(bracket: number): boolean {
    if (this.peek() !== bracket) return false;
    this.at++;
    return true;
  }

  /** Passes over what follows an element: a comma, or the bracket that closes its array or object. */
  afterElement(bracket: number): 'comma' | 'bracket' | undefined {
    const byte = this.peek();
    if (byte !== COMMA && byte !== bracket) {
      this.fail('not json');
      return undefined;
    }
    this.at++;
    return byte === COMMA ? 'comma' : 'bracket';
  }

  /** Passes over a string. @returns false for a fault, such as that there is none */
  string(): boolean {
    if (this.peek() !== QUOTE) {
      this.fail('not json');
      return false;
    }
    this.#start = this.at + 1;
    const fault = scanString(this.bytes, this.#start, this.#string);
    if (fault) {
      this.fail(fault);
      return false;
    }
    this.at = this.#string.end + 1;
    return true;
  }

  /** The UTF-8 bytes of the text of the last string; `undefined` if it has half of a surrogate pair. */
  get text(): Uint8Array | undefined {
    const { end, hasEscapes } = this.#string;
    return hasEscapes ? unescaped(this.bytes, this.#start, end) : this.bytes.subarray(this.#start, end);
  }

  /**
   * Passes over the name of a member and its colon.
   * @param present the members that the object has already, as bits
   * @returns its place among the known names, `UNKNOWN`, or `undefined` for a fault
   */
  name(known: readonly KnownName[], present: number): number | undefined {
    if (!this.string()) return undefined;
    const member = this.find(known);
    if (!this.takes(COLON)) {
      this.fail('not json');
      return undefined;
    }
    if (member === UNKNOWN || !(present & (1 << member))) return member;
    this.fault = twice(known[member]?.name ?? '');
    return undefined;
  }

  /** Returns the place of the last string among known names, or `UNKNOWN`. */
  find(known: readonly KnownName[]): number {
    const { end, hasEscapes } = this.#string;
    if (!hasEscapes) return find(known, this.bytes, this.#start, end);
    const { text } = this;
    return text ? find(known, text, 0, text.length) : UNKNOWN;
  }

  /** Begins to pass over a value. @param depth the number of arrays and objects around it */
  beginSkipping(depth: number): void {
    this.#skipper = new Skipper(this.bytes, this.at, depth);
  }

  /** Passes over a value until it ends or `stop` is reached. @returns whether it has ended */
  skips(stop: number): boolean {
    const skipper = this.#skipper;
    if (!skipper) throw new TypeError('nothing is being skipped');
    let fault: ValueFault | undefined;
    while (!fault && !skipper.isDone && skipper.at < stop) fault = skipper.step();
    this.at = skipper.at;
    if (fault) this.fail(fault);
    return skipper.isDone;
  }

  /** Rejects the body for a fault at the place that is reached. */
  fail(fault: ValueFault): void {
    const message = `${messages[fault]}${fault === 'not json' ? `: ${this.#place()}` : ''}`;
    this.fault = { error: 'INVALID_PARAMETER', message, details: 'body' };
  }

  /** Names the place that is reached, and one character there, as `findSyntaxFault` does of a text. */
  #place(): string {
    const { bytes } = this;
    const place = Math.min(this.at, bytes.length);
    let line = 1;
    let start = 0;
    for (let at = 0; at < place; at++) {
      if (bytes[at] !== LINE_FEED) continue;
      line += 1;
      start = at + 1;
    }
    const before = new TextDecoder().decode(bytes.subarray(start, place));
    const [found] = new TextDecoder().decode(bytes.subarray(place, place + 4));
    const problem =
      found === '"' ? 'a text that is not expected or not complete' : `unexpected ${showCharacter(found)}`;
    return showSyntaxFault({ line, column: before.length + 1, problem });
  }
}

const LINE_FEED = 0x0a;

const messages: Readonly<Record<ValueFault, string>> = {
  'not json': 'The body is not valid JSON',
  'not utf-8': 'The body is not valid UTF-8',
  'too deep': 'The arrays and objects of the body lie too deep in each other',
};

function twice(name: string): Issue {
  return {
    error: 'INVALID_PARAMETER',
    parameter: name,
    message: `"${name}" is given more than once; send each parameter once`,
    details: 'duplicate parameter',
  };
}

function find(known: readonly KnownName[], source: Uint8Array, start: number, end: number): number {
  for (const { bytes, place } of known) {
    if (bytes.length === end - start && isAt(bytes, source, start)) return place;
  }
  return UNKNOWN;
}

function isAt(bytes: Uint8Array, source: Uint8Array, start: number): boolean {
  for (let index = 0; index < bytes.length; index++) if (bytes[index] !== source[start + index]) return false;
  return true;
}
