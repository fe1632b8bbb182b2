/** The memory that rows take. */

/**
 * Estimates the bytes that a row takes together with what is made of it: the object that is shown, which shares its texts,
 * and its JSON, which repeats them with the names of the members.
 */
export function sizeOf(row: object): number {
  let size = FIXED;
  for (const [name, value] of Object.entries(row)) size += name.length + MEMBER + 2 * contentOf(value);
  return size;
}

/** An entry with its places in maps, the headers of two objects, the header of a text. */
const FIXED = 600;
/** A member's places in two objects, and its punctuation in JSON. */
const MEMBER = 24;

function contentOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return value.length + 12;
    case 'bigint':
      return 16;
    case 'object': {
      if (value === null) return 0;
      let size = 32;
      for (const member of Object.values(value)) size += 8 + contentOf(member);
      return size;
    }
    default:
      return 4;
  }
}

/** Freezes a value with all that it consists of. */
export function freezeAll<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freezeAll(member);
  return Object.freeze(value);
}
