/** Words for what stands in a seed file, and for what should. */
import { nearestName } from '@broadside/core';

/** Among more names none is looked for: a file can have as many mistakes as names. */
const MOST_NAMES = 1000;

/** A value as it stands in a file, for a sentence. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `the text "${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
  return typeof value === 'number' ? `the number ${value}` : String(value);
}

/** The end of a sentence about a name that is not known: the one that was probably meant. */
export function meant(name: string, known: readonly string[] | ReadonlySet<string>): string {
  const count = 'size' in known ? known.size : known.length;
  const near = count > MOST_NAMES ? undefined : nearestName(name, known, slipsIn(name));
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** The sentence about a member that does not exist. */
export function noMember(name: string, known: readonly string[]): string {
  return `there is no such member here${meant(name, known) || `; members are ${known.join(', ')}`}`;
}

/** Of a name of two letters, every other one would be near. */
function slipsIn(name: string): number {
  return Math.min(3, Math.max(1, Math.floor(name.length / 2)));
}
