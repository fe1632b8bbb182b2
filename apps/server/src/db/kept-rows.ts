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
const KEPT_BYTES = 64 * 2 ** 20;

/** A page with longer parameters is not kept: lists of hundreds of ids are rarely asked for twice. */
const MAX_KEY_LENGTH = 1000;

export interface KeptOptions {
  /** Their bound; {@link KEPT_BYTES} by default. */
  readonly bytes?: number | undefined;
  /** Freeze what is kept, so that whoever changes a row fails. For tests: it takes as long as reading the row. */
  readonly freeze?: boolean | undefined;
}

/** The rows that a thread keeps of one store. */
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

/** The writes of a transaction so far. */
export interface Touches {
  /** Committed rows that are kept in memory. */
  readonly kept: KeptRows | undefined;
  /** Returns whether it may have written something that one of some slots stands for. */
  hasAny(...slots: readonly Slot[]): boolean;
}

/** A page that is read by the ids of its rows. */
export interface PageByIds<Row> {
  /** The keys of its rows, in its order. */
  ids(): Awaitable<{ readonly ids: readonly string[]; readonly isLast: boolean }>;
  /** The rows with these keys, in any order. */
  rows(missing: readonly string[]): Awaitable<readonly Row[]>;
  cursorAfter(row: Row): string;
}

/** The key by which rows of a table are told apart. */
export interface KeptBy<Row> {
  readonly table: string;
  /** The key by which a row is asked for. */
  keyOf(row: Row): string;
  /** The id by which writes of a row mark it, of its key; by default the key. */
  readonly idOf?: (key: string) => string;
}

/** The rows that are kept of one table. */
export class KeptTable<Row extends object> {
  readonly #store: KeptRows;
  readonly #by: KeptBy<Row>;
  readonly #scopes = new Map<string, KeptScope<Row>>();

  constructor(store: KeptRows, by: KeptBy<Row>) {
    this.#store = store;
    this.#by = by;
  }

  /** Returns the rows that are kept of a scope (for account data: the account). To be called when something is read of it. */
  scope(scope: string): KeptScope<Row> {
    const known = this.#scopes.get(scope);
    if (known) return known;
    const made: KeptScope<Row> = new KeptScope(this.#store, this.#by, scope, this.#scopes);
    this.#scopes.set(scope, made);
    return made;
  }
}

/** The rows that are kept of one table in one scope. */
export class KeptScope<Row extends object> {
  // What each read of a row looks at comes first.
  /** It keeps something, and is found among its siblings. */
  #isKept = false;
  readonly #rows = new Map<string, KeptRow<Row>>();
  readonly #generations: Generations;
  readonly #tableSlot: Slot;
  readonly #scopeSlot: Slot;
  readonly #store: KeptRows;
  readonly #listSlot: Slot;
  readonly #pages = new Map<string, KeptPage>();
  readonly #slotOf: (key: string) => Slot;
  readonly #by: KeptBy<Row>;
  readonly #name: string;
  readonly #siblings: Map<string, KeptScope<Row>>;

  /** @param siblings where it is found as long as it keeps something */
  constructor(store: KeptRows, by: KeptBy<Row>, name: string, siblings: Map<string, KeptScope<Row>>) {
    const { table, idOf } = by;
    const slotOf = rowSlots(table, name);
    this.#store = store;
    this.#by = by;
    this.#generations = store.generations;
    this.#name = name;
    this.#siblings = siblings;
    this.#tableSlot = tableSlot(table);
    this.#scopeSlot = scopeSlot(table, name);
    this.#listSlot = listSlot(table, name);
    this.#slotOf = idOf ? (key) => slotOf(idOf(key)) : slotOf;
  }

  /** Whether it keeps something. If it does not, another one may be found in its place. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** The row with a key: the one that is kept, or the one that `read` finds. */
  row(key: string, read: () => Awaitable<Row | undefined>): Awaitable<Row | undefined> {
    const kept = this.#kept(key);
    if (kept) return kept;
    const slot = this.#slotOf(key);
    const generation = this.#generation(slot);
    return chain(read(), (row) => {
      const used = row && this.#keepRow(row, key, slot, generation);
      this.#releaseIfEmpty();
      return used;
    });
  }

  /** The rows with these keys, in any order, without those that do not exist: kept ones, and those that `read` finds. */
  rows(
    keys: readonly string[],
    read: (missing: readonly string[]) => Awaitable<readonly Row[]>,
  ): Awaitable<readonly Row[]> {
    const found: Row[] = [];
    const missing = new Map<string, { readonly slot: Slot; readonly generation: number }>();
    for (const key of keys) {
      const kept = this.#kept(key);
      const slot = kept ? undefined : this.#slotOf(key);
      if (kept) found.push(kept);
      else if (slot !== undefined) missing.set(key, { slot, generation: this.#generation(slot) });
    }
    if (missing.size === 0) return found;
    return chain(read([...missing.keys()]), (rows) => {
      for (const row of rows) {
        const key = this.#by.keyOf(row);
        const place = missing.get(key);
        found.push(place ? this.#keepRow(row, key, place.slot, place.generation) : row);
      }
      this.#releaseIfEmpty();
      return found;
    });
  }

  /** The same in a transaction: what it has written itself is read. */
  rowIn(touched: Touches, id: string, read: () => Awaitable<Row | undefined>): Awaitable<Row | undefined> {
    if (!touched.hasAny(this.#tableSlot, this.#scopeSlot, this.#slotOf(id))) return this.row(id, read);
    this.#releaseIfEmpty();
    return read();
  }

  /**
   * The page that a list's parameters ask for: of rows that are kept, or the one that `read` finds. Where it was kept, and rows
   * have been written since, most of them are kept still, so only ids are read, and those rows that are not.
   */
  page(
    params: object,
    read: () => Awaitable<Page<Row> | undefined>,
    byIds?: () => PageByIds<Row> | undefined,
  ): Awaitable<Page<Row> | undefined> {
    const key = stringifyJson(params);
    const kept = this.#keptPage(key);
    if (kept) return kept;
    const generation = this.#generation(this.#listSlot);
    const readAll = () =>
      chain(read(), (page) => {
        const used = page && this.#keepPage(key, page, generation);
        this.#releaseIfEmpty();
        return used;
      });
    const known = this.#pages.get(key);
    const ways = known && this.#keepsMostOf(known) ? byIds?.() : undefined;
    if (!ways) return readAll();
    return chain(this.#pageByIds(ways, generation), (page) =>
      page ? this.#keepPage(key, page, generation) : readAll(),
    );
  }

  #keepsMostOf({ rows }: KeptPage): boolean {
    const kept = rows.filter((key) => this.#kept(key) !== undefined).length;
    return kept > 0 && kept >= rows.length / 2;
  }

  /** @returns `undefined` where something was written in between, so that ids and rows need not be of one state */
  #pageByIds(ways: PageByIds<Row>, generation: number): Awaitable<Page<Row> | undefined> {
    return chain(ways.ids(), ({ ids, isLast }) =>
      chain(
        this.rows(ids, (missing) => ways.rows(missing)),
        (rows) => {
          if (generation !== this.#generation(this.#listSlot)) return undefined;
          const found = new Map(rows.map((row) => [this.#by.keyOf(row), row]));
          const data = ids.flatMap((id) => found.get(id) ?? []);
          const last = isLast ? undefined : data.at(-1);
          return { data, next_cursor: last ? ways.cursorAfter(last) : null };
        },
      ),
    );
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

  #kept(key: string): Row | undefined {
    const known = this.#rows.get(key);
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
    for (const rowKey of known.rows) {
      const row = this.#kept(rowKey);
      if (!row) return undefined;
      data.push(row);
    }
    const { next_cursor, total_count } = known;
    return total_count === undefined ? { data, next_cursor } : { data, next_cursor, total_count };
  }

  /** Keeps a row that was read, unless a write may have touched it since. @returns the row to use */
  #keepRow(row: Row, key: string, slot: Slot, generation: number): Row {
    if (generation !== this.#generation(slot)) return row;
    const known = this.#rows.get(key);
    // Whatever was made of it stays with it.
    if (known?.generation === generation) return known.row;
    if (known) this.#store.recency.remove(known);
    const kept = this.#store.freeze ? freezeAll(row) : row;
    const entry = new KeptRow(kept, slot, generation, () => this.#drop(this.#rows, key));
    this.#add(this.#rows, key, entry);
    return kept;
  }

  #keepPage(key: string, page: Page<Row>, generation: number): Page<Row> {
    const places = page.data.map((row) => {
      const rowKey = this.#by.keyOf(row);
      const slot = this.#slotOf(rowKey);
      return { row, key: rowKey, slot, generation: this.#generation(slot) };
    });
    // A write of a row touches the lists too. So if none did, these are the generations of the rows that were read.
    if (generation !== this.#generation(this.#listSlot)) return page;
    const data = places.map((place) => this.#keepRow(place.row, place.key, place.slot, place.generation));
    if (key.length <= MAX_KEY_LENGTH) {
      const known = this.#pages.get(key);
      if (known) this.#store.recency.remove(known);
      const rows = places.map((place) => place.key);
      this.#add(this.#pages, key, new KeptPage(key, rows, page, generation, () => this.#drop(this.#pages, key)));
    }
    return { ...page, data };
  }

  #add<E extends Entry>(entries: Map<string, E>, key: string, entry: E): void {
    if (!this.#isKept && !this.#siblings.has(this.#name)) this.#siblings.set(this.#name, this);
    this.#isKept = this.#siblings.get(this.#name) === this;
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
    this.#isKept = false;
  }
}

class KeptRow<Row extends object> extends Entry {
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
  /** The keys of its rows. */
  readonly rows: readonly string[];
  readonly next_cursor: string | null;
  readonly total_count: number | undefined;
  readonly generation: number;

  constructor(key: string, rows: readonly string[], page: Page<unknown>, generation: number, drop: () => void) {
    super(sizeOf({ key, rows }), drop);
    this.rows = rows;
    this.next_cursor = page.next_cursor;
    this.total_count = page.total_count;
    this.generation = generation;
  }
}
