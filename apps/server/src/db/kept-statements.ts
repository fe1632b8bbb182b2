/** Statements whose text depends on what is asked for: each form is compiled on its first use. */
import type { SQL } from 'drizzle-orm';
import QuickLRU from 'quick-lru';
import { compile } from './compile.ts';
import type { Arg } from './database.ts';

/**
 * Number of forms that are kept; temporarily up to twice as many. Callers choose filters and fields, and with them the form: kept without
 * a bound they would fill the memory.
 */
const MAX_FORMS = 500;

/** A statement that can be run. */
export interface KeptStatement {
  readonly text: string;
  /** Returns the arguments in the order of their places; null for those that are not given. */
  readonly bind: (args: Readonly<Record<string, Arg>>) => Arg[];
}

/** See the top of this file. */
export class KeptStatements {
  readonly #kept = new QuickLRU<string, KeptStatement>({ maxSize: MAX_FORMS });

  /** Returns the statement of a form. @param make makes it where it is not kept */
  of(form: string, make: () => SQL): KeptStatement {
    const known = this.#kept.get(form);
    if (known) return known;
    const { text, places } = compile(make());
    const made: KeptStatement = { text, bind: (args) => places.map((place) => args[place] ?? null) };
    this.#kept.set(form, made);
    return made;
  }
}
