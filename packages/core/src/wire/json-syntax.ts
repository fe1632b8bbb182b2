/** The place where a text stops being JSON. `JSON.parse` gives one or none, in words that depend on the engine, and repeats what was sent. */

/** The first fault of a text that is not JSON. */
export interface JsonSyntaxFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units, as editors count. */
  readonly column: number;
  /** Says what would be right and what is there: one character of the text at most, or a word such as `True`. */
  readonly problem: string;
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'end';

/**
 * Looks for the first fault. Takes a time that grows with the length of the text, and no recursion.
 * @returns `undefined` exactly where `JSON.parse` accepts the text
 */
export function findSyntaxFault(text: string): JsonSyntaxFault | undefined {
  // True for each open object, false for each open array.
  const open: boolean[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at);
    const character = text[at];
    const isObject = open.at(-1) === true;
    const mayEnd = expected === 'value or end' || expected === 'name or end' || expected === 'comma or end';
    if (expected === 'end') {
      return character === undefined ? undefined : faultAt(text, at, wrong(text, at, 'the end'));
    }
    if (mayEnd && character === (isObject ? '}' : ']')) {
      open.pop();
      at += 1;
      expected = open.length === 0 ? 'end' : 'comma or end';
    } else if (expected === 'comma or end') {
      if (character !== ',') return faultAt(text, at, wrong(text, at, isObject ? '"," or "}"' : '"," or "]"'));
      at += 1;
      expected = isObject ? 'name' : 'value';
    } else if (expected === 'colon') {
      if (character !== ':') return faultAt(text, at, wrong(text, at, '":"'));
      at += 1;
      expected = 'value';
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (typeof end !== 'number') return end;
      at = end;
      if (expected === 'name' || expected === 'name or end') expected = 'colon';
      else expected = open.length === 0 ? 'end' : 'comma or end';
    } else if (expected === 'name' || expected === 'name or end') {
      return faultAt(text, at, wrong(text, at, expectedHere(expected)));
    } else if (character === '{' || character === '[') {
      open.push(character === '{');
      at += 1;
      expected = character === '{' ? 'name or end' : 'value or end';
    } else {
      SCALAR.lastIndex = at;
      if (!SCALAR.test(text)) return faultAt(text, at, wrong(text, at, expectedHere(expected)));
      at = SCALAR.lastIndex;
      expected = open.length === 0 ? 'end' : 'comma or end';
    }
  }
}

/** Writes a fault as the end of a sentence. */
export function showSyntaxFault({ line, column, problem }: JsonSyntaxFault): string {
  return `line ${line}, column ${column}: ${problem}`;
}

/** Names a character of a text, the end of it included. */
export function showCharacter(character: string | undefined): string {
  if (character === undefined) return 'the end';
  if (character === '"') return 'a double quote';
  if (character === '\n' || character === '\r') return 'a line break';
  if (character === '\t') return 'a tab';
  if (character >= ' ' && character <= '~') return `"${character}"`;
  const code = character.codePointAt(0) ?? 0;
  return code === 0xfeff ? 'a byte order mark' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

function skipBlanks(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** The place after a string. */
function endOfString(text: string, start: number): number | JsonSyntaxFault {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 0x20) {
      const problem = `found ${showCharacter(text[at])} in a text that began with a double quote`;
      return faultAt(text, at, code === 0x0a ? `${problem}; a line break is written \\n` : problem);
    }
    if (code !== BACKSLASH) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) {
      return faultAt(text, at, 'expected an escape such as \\n or \\u0041; a backslash is written \\\\');
    }
    at = ESCAPE.lastIndex - 1;
  }
  return faultAt(text, start, 'the text that begins here has no closing double quote');
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function expectedHere(expected: Expected): string {
  switch (expected) {
    case 'name':
      return 'a name in double quotes';
    case 'name or end':
      return 'a name in double quotes or "}"';
    case 'value or end':
      return 'a value or "]"';
    default:
      return 'a value';
  }
}

/** Words of other languages, and what is right. */
const WORDS: Readonly<Record<string, string>> = {
  True: 'JSON writes true',
  False: 'JSON writes false',
  None: 'JSON writes null',
  nil: 'JSON writes null',
  undefined: 'JSON writes null',
  NaN: 'JSON has no such number',
  Infinity: 'JSON has no such number',
};

function wrong(text: string, at: number, expected: string): string {
  const [word = ''] = /^[A-Za-z]{3,10}/.exec(text.slice(at, at + 10)) ?? [];
  if (Object.hasOwn(WORDS, word)) return `expected ${expected}, found ${word}; ${WORDS[word]}`;
  const code = text.codePointAt(at);
  const found = showCharacter(code === undefined ? undefined : String.fromCodePoint(code));
  const hint = hintAt(text, at);
  return `expected ${expected}, found ${found}${hint === undefined ? '' : `; ${hint}`}`;
}

function hintAt(text: string, at: number): string | undefined {
  const character = text[at] ?? '';
  if (character === "'") return 'texts and names stand in double quotes';
  if (character === '/' || character === '#') return 'JSON has no comments';
  if (/[0-9.+-]/.test(character)) return 'a number is written as 5, -5 or 0.5';
  const before = text[lastBefore(text, at)];
  if ((character === '}' || character === ']') && before === ',') return 'leave out the comma before it';
  return undefined;
}

/** The place of the last character before another that is no blank. */
function lastBefore(text: string, place: number): number {
  let at = place - 1;
  while (at >= 0 && (text[at] ?? '') <= ' ') at -= 1;
  return at;
}

function faultAt(text: string, place: number, problem: string): JsonSyntaxFault {
  let line = 1;
  let start = 0;
  for (let at = 0; at < place; at++) {
    if (text.charCodeAt(at) !== 0x0a) continue;
    line += 1;
    start = at + 1;
  }
  return { line, column: place - start + 1, problem };
}
