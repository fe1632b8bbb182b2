/** Text on a terminal: what it may contain, how wide it is, where it breaks. */
import truncatedWidth from 'fast-string-truncated-width';

// Names come from other people. A control character could move the cursor or recolour the screen, and a direction mark
// could make one name read as another; both are shown as what they are.
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text of others, safe to print on one line. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    // The control pictures begin with that of NUL.
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Returns the number of columns that text takes. */
export function width(text: string): number {
  return truncatedWidth(text).width;
}

/** Text cut to a number of columns, with a mark where something is missing. */
export function cut(text: string, columns: number): string {
  const { index, ellipsed } = truncatedWidth(text, { limit: columns, ellipsis: '…', ellipsisWidth: 1 });
  return ellipsed ? `${text.slice(0, index)}…` : text.slice(0, index);
}

/** Text filled with blanks to a number of columns. */
export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, columns - width(text)));
  return side === 'left' ? text + blanks : blanks + text;
}

/** Wraps text between words into lines of at most `columns` columns; the later lines are indented by `indent`. */
export function wrap(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= columns) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].join(`\n${indent}`);
}

/** Text without blanks, such as JSON, as lines of at most `columns` columns: broken after commas and colons, or anywhere in what is longer. */
export function broken(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of text.split(/(?<=[,:])/)) {
    if (width(line + part) <= columns) {
      line += part;
      continue;
    }
    if (line !== '') lines.push(line);
    line = part;
    while (width(line) > columns) {
      const { index } = truncatedWidth(line, { limit: columns, ellipsis: '' });
      lines.push(line.slice(0, index));
      line = line.slice(index);
    }
  }
  return [...lines, line];
}

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A number with its thousands apart. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
