/** Collects what the writes of a transaction touch, so that readers forget it with the COMMIT. */
import { getTableName } from 'drizzle-orm';
import type { Touched } from './access.ts';
import { type Generations, listSlot, rowSlot, type Slot, scopeSlot, tableSlot } from './generations.ts';
import type { KeptRows, Touches } from './kept-rows.ts';
import { sequences } from './sequence-table.ts';
import type { SqlFacts } from './sql-text.ts';

/** Stands for all scopes of a store, where a write does not say which. No scope is called so. */
export const EVERYTHING = '*';

/** Numbers that are taken say nothing that is read of an account. */
const SEQUENCES = getTableName(sequences);

/**
 * The slots that the statements of one transaction touch. The table comes from the text of the statement, so no write can
 * miss it: a statement whose caller says nothing more touches all rows of its table.
 */
export class TouchedSlots implements Touches {
  /** Committed rows that are kept in memory. */
  readonly kept: KeptRows | undefined;
  readonly #generations: Generations;
  readonly #slots = new Set<Slot>();
  /** Where commits are marked: the scopes of what was written. */
  readonly scopes: Set<string> | undefined;
  #count = 0;
  /** A statement of which not even the table is known, such as one that changes the schema. */
  #all = false;

  constructor(generations: Generations, kept?: KeptRows, isMarked = false) {
    this.#generations = generations;
    this.kept = kept;
    this.scopes = isMarked ? new Set() : undefined;
  }

  /** Notes a statement, run or tried. */
  note({ kind, table }: SqlFacts, touched: Touched | undefined): void {
    if (kind === 'read' || kind === 'pragma') return;
    this.#count++;
    if (this.scopes !== undefined && table !== SEQUENCES) this.scopes.add(touched?.scope || EVERYTHING);
    if (table === undefined) this.#all = true;
    else if (touched === undefined || touched.isUnkept) this.#slots.add(tableSlot(table));
    else {
      const { scope, id } = touched;
      this.#slots.add(listSlot(table, scope));
      this.#slots.add(id === undefined ? scopeSlot(table, scope) : rowSlot(table, scope, id));
    }
  }

  /** Returns whether a statement may have touched one of some slots; when in doubt, it has. */
  hasAny(...slots: readonly Slot[]): boolean {
    return this.#all || slots.some((slot) => this.#slots.has(slot));
  }

  /** The number of statements that were noted because they write. */
  get count(): number {
    return this.#count;
  }

  /** Runs COMMIT while readers know that what was touched is in flux. */
  async during(commit: () => Promise<void>): Promise<void> {
    if (this.#all) this.#generations.advanceAll();
    this.#generations.begin(this.#slots);
    try {
      await commit();
    } finally {
      this.#generations.end(this.#slots);
      if (this.#all) this.#generations.advanceAll();
    }
  }
}
