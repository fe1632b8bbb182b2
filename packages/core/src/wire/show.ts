/** Formats values that a caller sent, for messages: quoted text, or its JSON, truncated when long. */

/** Maximum characters of a value in a message. */
const MAX_SHOWN = 100;

/** Formats a value. Takes a time that does not depend on its size, except for that of listing the members of an object. */
export function show(value: unknown): string {
  const written = write(value, MAX_SHOWN + 1, 0) ?? 'nothing';
  return written.length > MAX_SHOWN ? `${written.slice(0, MAX_SHOWN - 3)}...` : written;
}

/**
 * Returns a value that was sent in the form in which an error repeats it: as it is up to some length, of a longer text the
 * beginning, and `undefined` for a larger array or object.
 */
export function repeated(value: unknown): unknown {
  if (typeof value === 'string') return repeatedText(value);
  if (typeof value === 'bigint') return isShort(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  return (write(value, MAX_REPEATED + 1, 0)?.length ?? 0) > MAX_REPEATED ? undefined : value;
}

/** Returns a text that was sent in the form in which an error repeats it: of a longer one the beginning. */
export function repeatedText(text: string): string {
  return text.length > MAX_REPEATED ? `${cut(text, MAX_REPEATED)}...` : text;
}

/** Maximum characters of a value that an error repeats: our choice, several times what any parameter may have. */
const MAX_REPEATED = 1_000;

/** Nesting beyond this is not shown. */
const MAX_DEPTH = 40;

/** Writes at least the first `room` characters of the JSON of a value, or all of it. */
function write(value: unknown, room: number, depth: number): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value.length > room ? cut(value, room) : value);
  if (typeof value === 'bigint') return isShort(value) ? `${value}` : '"a long number"';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof Date) return JSON.stringify(value);
  if (depth > MAX_DEPTH) return '...';
  if (Array.isArray(value)) return writeArray(value, room, depth);
  let text = '';
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const written = write(Reflect.get(value, name), room - text.length, depth + 1);
    if (written === undefined) continue;
    text += `${text === '' ? '' : ','}${write(name, room, depth)}:${written}`;
    if (text.length >= room) break;
  }
  return `{${text}}`;
}

function writeArray(values: readonly unknown[], room: number, depth: number): string {
  let text = '';
  for (const value of values) {
    text += `${text === '' ? '' : ','}${write(value, room - text.length, depth + 1) ?? 'null'}`;
    if (text.length >= room) break;
  }
  return `[${text}]`;
}

/** The first characters of a text, never half of a surrogate pair. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

const LONG = 10n ** 40n;

/** Writing the digits of a whole number takes a time that grows with their square. */
function isShort(value: bigint): boolean {
  return value < LONG && value > -LONG;
}
