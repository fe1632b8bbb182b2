/** Passes over a JSON value that is of no use, and says whether it is one; in steps, since it can be long. */
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  MAX_JSON_DEPTH,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../../../wire/json-bounds.ts';
import { COMMA, type StringFault, scanString, skipBlanks, skipScalar } from './json-bytes.ts';

/** Reasons why bytes are not a value that may be sent. */
export type ValueFault = StringFault | 'too deep';

/** A value in the middle of being skipped. */
export class Skipper {
  /** The place that is reached: the end of the value once it is {@link isDone}. */
  at: number;
  isDone = false;
  readonly #bytes: Uint8Array;
  readonly #depth: number;
  /** True for each open object, false for each open array. */
  readonly #open: boolean[] = [];
  #expects: 'value' | 'value or end' | 'name' | 'name or end' | 'comma or end' = 'value';
  readonly #found = { end: 0, hasEscapes: false };

  /** @param depth the number of arrays and objects around the value */
  constructor(bytes: Uint8Array, at: number, depth: number) {
    this.#bytes = bytes;
    this.#depth = depth;
    this.at = at;
  }

  /** Passes over one token. */
  step(): ValueFault | undefined {
    const bytes = this.#bytes;
    this.at = skipBlanks(bytes, this.at);
    const byte = bytes[this.at];
    const mayEnd = this.#expects !== 'value' && this.#expects !== 'name';
    if (mayEnd && byte === (this.#open.at(-1) ? CLOSE_OBJECT : CLOSE_ARRAY)) {
      this.at++;
      this.#open.pop();
      return this.#afterValue();
    }
    switch (this.#expects) {
      case 'comma or end':
        if (byte !== COMMA) return 'not json';
        this.at++;
        this.#expects = this.#open.at(-1) ? 'name' : 'value';
        return undefined;
      case 'name':
      case 'name or end':
        return this.#name(byte);
      default:
        return this.#value(byte);
    }
  }

  #name(byte: number | undefined): ValueFault | undefined {
    const fault = this.#string(byte);
    if (fault) return fault;
    this.at = skipBlanks(this.#bytes, this.at);
    if (this.#bytes[this.at] !== COLON) return 'not json';
    this.at++;
    this.#expects = 'value';
    return undefined;
  }

  #value(byte: number | undefined): ValueFault | undefined {
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (this.#depth + this.#open.length === MAX_JSON_DEPTH) return 'too deep';
      this.at++;
      this.#open.push(byte === OPEN_OBJECT);
      this.#expects = byte === OPEN_OBJECT ? 'name or end' : 'value or end';
      return undefined;
    }
    if (byte === QUOTE) return this.#string(byte) ?? this.#afterValue();
    const end = skipScalar(this.#bytes, this.at);
    if (end === undefined) return 'not json';
    this.at = end;
    return this.#afterValue();
  }

  #string(byte: number | undefined): StringFault | undefined {
    if (byte !== QUOTE) return 'not json';
    const fault = scanString(this.#bytes, this.at + 1, this.#found);
    if (!fault) this.at = this.#found.end + 1;
    return fault;
  }

  #afterValue(): undefined {
    if (this.#open.length === 0) this.isDone = true;
    else this.#expects = 'comma or end';
  }
}
