/** Kinds of jobs that only one process can do, which has what they are about: the place of that is part of the kind. */

const BEFORE_PLACE = '@';

/** The kind of a job at a place; `''` for the one that has what is nowhere else. */
export function kindAt(kind: string, place: string): string {
  return place === '' ? kind : kind + BEFORE_PLACE + place;
}

/** The kind without its place. */
export function plainKind(kind: string): string {
  return kind.split(BEFORE_PLACE, 1)[0] ?? kind;
}
