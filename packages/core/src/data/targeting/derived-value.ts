/**
 * Values of rows that have no published value. A value is a hash of the row's content, so it is stable when rows are
 * added or reordered, and changes only with the words it was derived from: those are never edited.
 */

const FNV_PRIME = 0x0100_0193;
const FNV_BASIS = 0x811c_9dc5;

/** Computes FNV-1a over the UTF-16 code units of a text, 32 bits. */
function fnv1a(text: string, basis: number): number {
  let hash = basis;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), FNV_PRIME);
    hash = Math.imul(hash ^ (unit >>> 8), FNV_PRIME);
  }
  return hash >>> 0;
}

/** Returns a 32-bit value for a row that is identified by a text. */
export function derivedNumber(key: string): number {
  return fnv1a(key, FNV_BASIS);
}

/** The same in base 36: the form used by most lookups. */
export function derivedWord(key: string): string {
  return derivedNumber(key).toString(36);
}

/** 16 hexadecimal digits: the form of locations. */
export function derivedPlace(key: string): string {
  const high = fnv1a(key, FNV_BASIS);
  // The second half starts from the first, so that the two differ for each key.
  const low = fnv1a(key, high ^ FNV_PRIME);
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}
