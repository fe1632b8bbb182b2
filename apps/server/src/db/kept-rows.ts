/**
 * Rows of entities and pages of lists that this thread has read, kept while the generations of the store say that they are
 * still those of the database. Rows are shared by all who ask for them, so nobody changes one. A row is the same object
 * until it is written, so what is made of it can be remembered by its identity.
 */
import { type Page, rememberJson, stringifyJson } from '@broadside/core';
import { type Awaitable, chain } from '../awaitable.ts';
import { type Generations, isStable, listSlot, rowSlots, type Slot, scopeSlot, tableSlot } from './generations.ts';
import { Entry, Recency } from './recency.ts';
import { freezeAll, sizeOf } from './row-size.ts';

/**
 * The memory in which a store keeps rows and pages, with what is made of them (the shown object and its JSON), by estimate.
 * A process has as much for each of the two environments, and so has each of its threads that read.
 */
export const KEPT_BYTES = 64 * 2 ** 20;

/** A page with longer parameters is not kept: lists of hundreds of ids are rarely asked for twice. */
const MAX_KEY_LENGTH = 1000;

export interface KeptOptions {
  /** Their bound; {@link KEPT_BYTES} by default. */
  readonly bytes?: number | undefined;
  /** Freeze what is kept, so that whoever changes a row fails. For tests: it takes as long as reading the row. */
  readonly freeze?: boolean | undefined;
}

/** What a thread keeps of one store. */
export class KeptRows {
  readonly generations: Generations;
  /** All entries of all tables. */
  readonly recency: Recency;
  readonly freeze: boolean;

  constructor(generations: Generations, { bytes = KEPT_BYTES, freeze = false }: KeptOptions = {}) {
    this.generations = generations;
    this.recency = new Recency(bytes);
    this.freeze = freeze;
  }
}

/** A row that can be kept. */
interface AnyRow {
  readonly id: string;
}

/** What is kept of one table. */
export class KeptTable<Row extends AnyRow> {
  readonly #name: string;
  readonly #store: KeptRows;
  readonly #scopes = new Map<string, KeptScope<Row>>();

  constructor(store: KeptRows, name: string) {
    this.#store = store;
    this.#name = name;
  }

  /** What is kept of a scope (for account data: the account). To be called when something is read of it. */
  scope(scope: string): KeptScope<Row> {
    const known = this.#scopes.get(scope);
    if (known) return known;
    const made: KeptScope<Row> = new KeptScope(this.#store, this.#name, scope, this.#scopes);
    this.#scopes.set(scope, made);
    return made;
  }
}

/** What is kept of one table in one scope. */
export class KeptScope<Row extends AnyRow> {
  readonly #store: KeptRows;
  readonly #generations: Generations;
  readonly #name: string;
  readonly #siblings: Map<string, KeptScope<Row>>;
  readonly #tableSlot: Slot;
  readonly #scopeSlot: Slot;
  readonly #listSlot: Slot;
  readonly #slotOf: (id: string) => Slot;
  readonly #rows = new Map<string, KeptRow<Row>>();
  readonly #pages = new Map<string, KeptPage>();

  /** @param siblings where it is found as long as it keeps something */
  constructor(store: KeptRows, table: string, name: string, siblings: Map<string, KeptScope<Row>>) {
    this.#store = store;
    this.#generations = store.generations;
    this.#name = name;
    this.#siblings = siblings;
    this.#tableSlot = tableSlot(table);
    this.#scopeSlot = scopeSlot(table, name);
    this.#listSlot = listSlot(table, name);
    this.#slotOf = rowSlots(table, name);
  }

  /** The row with an id: the one that is kept, or the one that `read` finds. */
  row(id: string, read: () => Awaitable<Row | undefined>): Awaitable<Row | undefined> {
    const kept = this.#kept(id);
    if (kept) return kept;
    const slot = this.#slotOf(id);
    const generation = this.#generation(slot);
    return chain(read(), (row) => {
      const used = row && this.#keepRow(row, slot, generation);
      this.#releaseIfEmpty();
      return used;
    });
  }

  /** The page that a list's parameters ask for: of rows that are kept, or the one that `read` finds. */
  page(params: object, read: () => Awaitable<Page<Row> | undefined>): Awaitable<Page<Row> | undefined> {
    const key = stringifyJson(params);
    const kept = this.#keptPage(key);
    if (kept) return kept;
    const generation = this.#generation(this.#listSlot);
    return chain(read(), (page) => {
      const used = page && this.#keepPage(key, page, generation);
      this.#releaseIfEmpty();
      return used;
    });
  }

  /**
   * The sum of all counters that a write of something can change: it is another one after each write. NaN, which equals
   * nothing, while one of them is in flux.
   */
  #generation(slot: Slot): number {
    const table = this.#generations.read(this.#tableSlot);
    const scope = this.#generations.read(this.#scopeSlot);
    const own = this.#generations.read(slot);
    return isStable(table | scope | own) ? table + scope + own : Number.NaN;
  }

  #kept(id: string): Row | undefined {
    const known = this.#rows.get(id);
    if (!known) return undefined;
    if (known.generation !== this.#generation(known.slot)) return undefined;
    this.#store.recency.use(known);
    // Many families show the row as it is. What is asked for once is not worth remembering.
    if (!known.used) rememberJson(known.row);
    known.used = true;
    return known.row;
  }

  #keptPage(key: string): Page<Row> | undefined {
    const known = this.#pages.get(key);
    if (!known || known.generation !== this.#generation(this.#listSlot)) return undefined;
    this.#store.recency.use(known);
    const data: Row[] = [];
    for (const id of known.ids) {
      const row = this.#kept(id);
      if (!row) return undefined;
      data.push(row);
    }
    const { next_cursor, total_count } = known;
    return total_count === undefined ? { data, next_cursor } : { data, next_cursor, total_count };
  }

  /** Keeps a row that was read, unless a write may have touched it since. @returns the row to use */
  #keepRow(row: Row, slot: Slot, generation: number): Row {
    if (generation !== this.#generation(slot)) return row;
    const known = this.#rows.get(row.id);
    // Whatever was made of it stays with it.
    if (known?.generation === generation) return known.row;
    if (known) this.#store.recency.remove(known);
    const kept = this.#store.freeze ? freezeAll(row) : row;
    const entry = new KeptRow(kept, slot, generation, () => this.#drop(this.#rows, row.id));
    this.#add(this.#rows, row.id, entry);
    return kept;
  }

  #keepPage(key: string, page: Page<Row>, generation: number): Page<Row> {
    const slots = page.data.map(({ id }) => this.#slotOf(id));
    const generations = slots.map((slot) => this.#generation(slot));
    // A write of a row touches the lists too. So if none did, these are the generations of the rows that were read.
    if (generation !== this.#generation(this.#listSlot)) return page;
    const data = page.data.map((row, place) => this.#keepRow(row, slots[place] ?? 0, generations[place] ?? Number.NaN));
    if (key.length <= MAX_KEY_LENGTH) {
      const known = this.#pages.get(key);
      if (known) this.#store.recency.remove(known);
      const ids = data.map(({ id }) => id);
      this.#add(this.#pages, key, new KeptPage(key, ids, page, generation, () => this.#drop(this.#pages, key)));
    }
    return { ...page, data };
  }

  #add<E extends Entry>(entries: Map<string, E>, key: string, entry: E): void {
    if (!this.#siblings.has(this.#name)) this.#siblings.set(this.#name, this);
    entries.set(key, entry);
    this.#store.recency.add(entry);
  }

  #drop(entries: Map<string, Entry>, key: string): void {
    entries.delete(key);
    this.#releaseIfEmpty();
  }

  #releaseIfEmpty(): void {
    if (this.#rows.size + this.#pages.size > 0 || this.#siblings.get(this.#name) !== this) return;
    this.#siblings.delete(this.#name);
  }
}

class KeptRow<Row extends AnyRow> extends Entry {
  readonly row: Row;
  readonly slot: Slot;
  readonly generation: number;
  /** It was asked for again. */
  used = false;

  constructor(row: Row, slot: Slot, generation: number, drop: () => void) {
    super(sizeOf(row), drop);
    this.row = row;
    this.slot = slot;
    this.generation = generation;
  }
}

class KeptPage extends Entry {
  readonly ids: readonly string[];
  readonly next_cursor: string | null;
  readonly total_count: number | undefined;
  readonly generation: number;

  constructor(key: string, ids: readonly string[], page: Page<unknown>, generation: number, drop: () => void) {
    super(sizeOf({ key, ids }), drop);
    this.ids = ids;
    this.next_cursor = page.next_cursor;
    this.total_count = page.total_count;
    this.generation = generation;
  }
}
