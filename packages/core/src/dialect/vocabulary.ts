/** The words of a dialect, and those of the interface that they stand for. */
import type { DialectFile } from './format.ts';

/** Suffixes of the values of `sort_by`. */
const ORDER = /-(?:asc|desc)$/;

/** Translates words, each as a whole: a part of a word is never replaced. */
export class Vocabulary {
  readonly #nameIn: ReadonlyMap<string, string>;
  readonly #nameBack: ReadonlyMap<string, string>;
  readonly #forms: ReadonlyMap<string, readonly string[]>;
  readonly #nameOut: ReadonlyMap<string, string>;
  readonly #valueIn: ReadonlyMap<string, string>;
  readonly #valueOut: ReadonlyMap<string, string>;

  constructor({ names, values, accepted }: Pick<DialectFile, 'names' | 'values' | 'accepted'>) {
    this.#nameIn = new Map([...Object.entries(accepted), ...Object.entries(names)]);
    this.#nameBack = new Map(Object.entries(names));
    const all = new Map([...this.#nameBack, ...this.#nameIn]);
    this.#forms = Map.groupBy(all.keys(), (theirs) => all.get(theirs) ?? theirs);
    this.#nameOut = new Map(Object.entries(names).map(([theirs, ours]) => [ours, theirs]));
    this.#valueIn = new Map(Object.entries(values));
    this.#valueOut = new Map(Object.entries(values).map(([theirs, ours]) => [ours, theirs]));
  }

  /** The name of the interface for one of the dialect; other names stand for themselves. */
  nameIn(theirs: string): string {
    return translated(this.#nameIn, theirs);
  }

  /** The same for a name that the dialect answers; those that it only accepts stand for themselves. */
  nameBack(theirs: string): string {
    return translated(this.#nameBack, theirs);
  }

  /** The name of the dialect for one of the interface. */
  nameOut(ours: string): string {
    return translated(this.#nameOut, ours);
  }

  /** All names of the dialect for one of the interface: first the one that it answers, then those that it only accepts. */
  formsOf(ours: string): readonly string[] {
    return this.#forms.get(ours) ?? [];
  }

  /** The value of an enumeration for one of the dialect. */
  valueIn(theirs: string): string {
    return this.#valueIn.get(theirs) ?? inOrder(theirs, (stem) => this.nameIn(stem));
  }

  /** The value of the dialect for one of an enumeration. */
  valueOut(ours: string): string {
    return this.#valueOut.get(ours) ?? inOrder(ours, (stem) => this.nameOut(stem));
  }
}

/** A path of names, such as `referenced_posts.id`, is translated name by name where the table does not have it. */
function translated(table: ReadonlyMap<string, string>, name: string): string {
  const known = table.get(name);
  if (known !== undefined || !name.includes('.')) return known ?? name;
  return name
    .split('.')
    .map((part) => table.get(part) ?? part)
    .join('.');
}

function inOrder(value: string, translate: (stem: string) => string): string {
  const suffix = ORDER.exec(value)?.[0] ?? '';
  return translate(value.slice(0, value.length - suffix.length)) + suffix;
}
