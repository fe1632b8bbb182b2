/**
 * Reads the most common input of a call: an object of a few plain texts. `JSON.parse` and the verification of its bounds take several
 * times as long to begin as such a text takes to read.
 */

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const UNDERSCORE = 0x5f;

/** Members up to which names are compared one by one. */
const FEW = 16;

/**
 * Returns the members of a text such as `{"name":"text","other":"text"}`, written without spaces, names in small letters and `_`.
 * `undefined` for any other text, valid or not: it is to be read as JSON.
 *
 * @param names the caller's own strings for names, keyed by name: the engine finds them faster as keys than those cut out of the text
 */
export function readPlainTexts(text: string, names?: ReadonlyMap<string, string>): Record<string, string> | undefined {
  const last = text.length - 1;
  if (text.charCodeAt(0) !== OPEN || text.charCodeAt(last) !== CLOSE) return undefined;
  const read: Record<string, string> = {};
  let count = 0;
  let at = 1;
  for (;;) {
    const colon = endOfName(text, at);
    if (colon === -1 || text.charCodeAt(colon + 1) !== QUOTE) return undefined;
    const end = endOfText(text, colon + 2);
    if (end === -1) return undefined;
    const cut = text.slice(at + 1, colon - 1);
    const name = names?.get(cut) ?? cut;
    if (++count > FEW || Object.hasOwn(read, name)) return undefined;
    read[name] = text.slice(colon + 2, end);
    if (end + 1 === last) return read;
    if (text.charCodeAt(end + 1) !== COMMA) return undefined;
    at = end + 2;
  }
}

/** The place of the colon after a name that begins at its quote; -1 where the name is not plain. */
function endOfName(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return -1;
  let at = start + 1;
  // Not `__proto__`, which is no member where it is assigned.
  if (text.charCodeAt(at) === UNDERSCORE) return -1;
  for (let code = text.charCodeAt(at); isOfName(code); code = text.charCodeAt(at)) at++;
  return at > start + 1 && text.charCodeAt(at) === QUOTE && text.charCodeAt(at + 1) === COLON ? at + 1 : -1;
}

function isOfName(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code === UNDERSCORE;
}

/** The place of the quote that ends a text; -1 where something in it is escaped or would have to be, or it does not end. */
function endOfText(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code < SPACE || code === BACKSLASH) return -1;
  }
  return -1;
}
