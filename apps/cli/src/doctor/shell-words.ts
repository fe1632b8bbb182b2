/**
 * Splits a pasted command line as a shell would. Our own code: the packages that split words know neither the `$'...'` that
 * browsers write when they copy a request, nor where a command ends.
 */

/** A command line that no shell would accept. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError';
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
/** Characters that `\` escapes within double quotes; before any other it is literal. */
const ESCAPED_IN_DOUBLE = new Set(['$', '`', '"', '\\']);

/**
 * Returns the words of the first command of a text, unquoted. Variables are not expanded.
 * @throws ShellSyntaxError when a quote is not closed
 */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  const source = text.replaceAll('\r\n', '\n');
  let word: string | undefined;
  let at = 0;
  while (at < source.length) {
    const char = source.charAt(at);
    const next = source.charAt(at + 1);
    if (char === '\\') {
      if (next !== '\n') word = (word ?? '') + next;
      at += 2;
    } else if (char === "'") {
      const end = closing(source, "'", at + 1);
      word = (word ?? '') + source.slice(at + 1, end);
      at = end + 1;
    } else if (char === '$' && next === "'") {
      const [value, end] = ansiQuoted(source, at + 2);
      word = (word ?? '') + value;
      at = end;
    } else if (char === '"' || (char === '$' && next === '"')) {
      const [value, end] = doubleQuoted(source, at + (char === '"' ? 1 : 2));
      word = (word ?? '') + value;
      at = end;
    } else if (endsCommand(source, at)) {
      // A line break before the first word, or another command after this one.
      if (word !== undefined || words.length > 0) break;
      at += 1;
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else if (char === '#' && word === undefined) {
      const end = source.indexOf('\n', at);
      at = end === -1 ? source.length : end;
    } else {
      word = (word ?? '') + char;
      at += 1;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Line break, `;`, `|`, redirection, and a separate `&`: within an unquoted URL it is part of the URL. */
function endsCommand(source: string, at: number): boolean {
  const char = source.charAt(at);
  if (char === '&') return /^&(?:[\s&;]|$)/.test(source.slice(at, at + 2));
  return char === '\n' || char === ';' || char === '|' || char === '>' || char === '<';
}

function closing(source: string, quote: string, from: number): number {
  const end = source.indexOf(quote, from);
  if (end === -1) throw new ShellSyntaxError(`a ${quote} is not closed`);
  return end;
}

function doubleQuoted(source: string, from: number): [value: string, end: number] {
  let value = '';
  let at = from;
  for (;;) {
    const char = source.charAt(at);
    if (char === '"') return [value, at + 1];
    if (at >= source.length) throw new ShellSyntaxError('a " is not closed');
    const next = source.charAt(at + 1);
    if (char === '\\' && next === '\n') at += 2;
    else if (char === '\\' && ESCAPED_IN_DOUBLE.has(next)) {
      value += next;
      at += 2;
    } else {
      value += char;
      at += 1;
    }
  }
}

const NUMERIC_ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/y;

/** `$'...'`: `\x` and octal digits are bytes of UTF-8, `\u` is a character. */
function ansiQuoted(source: string, from: number): [value: string, end: number] {
  let value = '';
  let bytes: number[] = [];
  let at = from;
  const put = (text: string) => {
    if (bytes.length > 0) value += new TextDecoder().decode(Uint8Array.from(bytes));
    bytes = [];
    value += text;
  };
  for (;;) {
    const char = source.charAt(at);
    if (char === "'") {
      put('');
      return [value, at + 1];
    }
    if (at >= source.length) throw new ShellSyntaxError("a $' is not closed");
    NUMERIC_ESCAPE.lastIndex = at;
    const [whole = char, hex, octal, short, long] = char === '\\' ? (NUMERIC_ESCAPE.exec(source) ?? []) : [];
    const byte = hex === undefined ? octal && Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
    const character = short ?? long;
    if (typeof byte === 'number') bytes.push(byte % 256);
    else if (character !== undefined) put(codePoint(Number.parseInt(character, 16)));
    else if (char === '\\') {
      const next = source.charAt(at + 1);
      put(Object.hasOwn(SIMPLE_ESCAPES, next) ? (SIMPLE_ESCAPES[next] ?? '') : next);
      at += 1;
    } else put(char);
    at += whole.length;
  }
}

function codePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
