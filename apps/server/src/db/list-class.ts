/**
 * The class of a row: one number for whether it is deleted, hidden with its parent, and a draft. It leads the indexes of
 * lists, so that what a list leaves out is not even passed over, however much of it there is.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** The columns that a class is made of. */
export interface ClassColumns {
  readonly deleted: SQLiteColumn;
  readonly parent_deleted?: SQLiteColumn;
  /** The state of the row in tables with drafts, which lists leave out. */
  readonly entity_status?: SQLiteColumn;
}

/** The records that a list shows beside those that every list shows. */
export interface Shown {
  /** Deleted records, and those whose parent is deleted. */
  readonly deleted: boolean;
  readonly drafts: boolean;
}

/** The classes of a table. */
export class ListClasses {
  /** The number of a row. Columns are without their table, as in the text of an index. */
  readonly expression: SQL;
  readonly #parents: boolean;
  readonly #drafts: boolean;

  /** @param drafts whether the table holds drafts that lists leave out unless they are asked for */
  constructor({ parent_deleted }: Pick<ClassColumns, 'parent_deleted'>, drafts: boolean) {
    this.#parents = parent_deleted !== undefined;
    this.#drafts = drafts;
    // The database knows the expression by its text.
    this.expression = sql.raw(this.text());
  }

  /** The text of the expression. @param of what precedes each column, such as `NEW.` */
  text(of = ''): string {
    if (!this.#parents && !this.#drafts) return `${of}"deleted"`;
    const terms = [`${of}"deleted" * 4`];
    if (this.#parents) terms.push(`${of}"parent_deleted" * 2`);
    if (this.#drafts) terms.push(`(${of}"entity_status" = 'DRAFT')`);
    return `(${terms.join(' + ')})`;
  }

  /** The columns that the expression reads. */
  get columns(): readonly string[] {
    return ['deleted', ...(this.#parents ? ['parent_deleted'] : []), ...(this.#drafts ? ['entity_status'] : [])];
  }

  /** The classes that a list shows, as numbers of the expression. */
  shown({ deleted, drafts }: Shown): readonly number[] {
    const classes: number[] = [];
    for (const own of deleted ? [0, 1] : [0]) {
      for (const parent of deleted && this.#parents ? [0, 1] : [0]) {
        for (const draft of drafts && this.#drafts ? [0, 1] : [0]) classes.push(this.#number(own, parent, draft));
      }
    }
    return classes;
  }

  /** Returns whether the rows of a class are deleted themselves. */
  isDeleted(number: number): boolean {
    return number >= (this.#parents || this.#drafts ? 4 : 1);
  }

  #number(own: number, parent: number, draft: number): number {
    return this.#parents || this.#drafts ? own * 4 + parent * 2 + draft : own;
  }
}
