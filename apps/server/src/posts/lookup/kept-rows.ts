/**
 * Rows by their ids that are kept in memory, together with the texts that are made of them. A row is used only while its
 * counter says that nothing has written it; where another process may write the store, nothing is kept. The amount is bounded.
 */
import { type Awaitable, chain } from '../../awaitable.ts';
import type { Database } from '../../db/database.ts';
import { isStable, rowSlot, type Slot, scopeSlot, tableSlot } from '../../db/generations.ts';

/** A kept row. */
export interface Keepable {
  /** Its size in memory, about, in bytes. */
  readonly weight: number;
}

/** A table whose rows are kept. */
export interface KeptTable<Row extends Keepable> {
  readonly name: string;
  /** The id under which writes note that they touch a row, of the key by which it is read. */
  readonly idOf: (key: string) => string;
  /** Reads rows of some keys, in any order, without those that do not exist. */
  readonly read: (database: Database, keys: readonly string[]) => Awaitable<readonly (readonly [string, Row])[]>;
}

/** Dependencies of {@link KeptRows}. */
interface Options {
  readonly database: Database;
  /** The most that is kept, in bytes; 0 keeps nothing. */
  readonly limit: number;
}

interface Kept<Row> {
  readonly row: Row;
  readonly slot: Slot;
  readonly generation: number;
}

/** Rows of one table. */
export class KeptRows<Row extends Keepable> {
  readonly #table: KeptTable<Row>;
  readonly #options: Options;
  /** Slots of writes that say no more than the table. */
  readonly #wholes: readonly [Slot, Slot];
  /** Their generations when the rows were read that are kept. */
  #sinceTable = 0;
  #sinceScope = 0;
  /** Rows used lately, and those before: when the first have half of the weight, they replace the others. */
  #recent = new Map<string, Kept<Row>>();
  #older = new Map<string, Kept<Row>>();
  #weight = 0;
  #olderWeight = 0;

  constructor(table: KeptTable<Row>, options: Options) {
    this.#table = table;
    this.#options = options;
    this.#wholes = [tableSlot(table.name), scopeSlot(table.name, '')];
  }

  /** The size of all that is kept, in bytes, about. */
  get weight(): number {
    return this.#weight + this.#olderWeight;
  }

  /** The rows of these keys that exist. @param found receives them */
  read(keys: Iterable<string>, found: Map<string, Row>): Awaitable<void> {
    const { database, limit } = this.#options;
    if (limit > 0) this.#forgetOutdated();
    const { generations } = database;
    let missing: string[] | undefined;
    for (const key of keys) {
      if (found.has(key)) continue;
      const kept = limit > 0 ? this.#get(key) : undefined;
      if (kept !== undefined && generations.read(kept.slot) === kept.generation) found.set(key, kept.row);
      else if (missing === undefined) missing = [key];
      else missing.push(key);
    }
    return missing === undefined ? undefined : this.#readMissing(missing, found);
  }

  /** Adds to the weight of what is kept: of a text that was made of a row. */
  grow(bytes: number): void {
    this.#weight += bytes;
    this.#rotate();
  }

  #readMissing(keys: readonly string[], found: Map<string, Row>): Awaitable<void> {
    const { database, limit } = this.#options;
    const { generations } = database;
    const { idOf, name } = this.#table;
    const places = limit === 0 ? undefined : new Map<string, Omit<Kept<Row>, 'row'>>();
    for (const key of places ? keys : []) {
      const slot = rowSlot(name, '', idOf(key));
      places?.set(key, { slot, generation: generations.read(slot) });
    }
    const before = [this.#sinceTable, this.#sinceScope];
    return chain(this.#table.read(database, keys), (rows) => {
      for (const [key, row] of rows) found.set(key, row);
      if (places === undefined) return;
      // What was written while it was read may be outdated.
      this.#forgetOutdated();
      if (before[0] !== this.#sinceTable || before[1] !== this.#sinceScope) return;
      if (!isStable(this.#sinceTable) || !isStable(this.#sinceScope)) return;
      for (const [key, row] of rows) {
        const place = places.get(key);
        if (place === undefined || !isStable(place.generation)) continue;
        if (generations.read(place.slot) === place.generation) this.#keep(key, { row, ...place });
      }
    });
  }

  #forgetOutdated(): void {
    const { generations } = this.#options.database;
    const table = generations.read(this.#wholes[0]);
    const scope = generations.read(this.#wholes[1]);
    if (table === this.#sinceTable && scope === this.#sinceScope) return;
    this.#sinceTable = table;
    this.#sinceScope = scope;
    this.#recent.clear();
    this.#older.clear();
    this.#weight = 0;
    this.#olderWeight = 0;
  }

  #get(key: string): Kept<Row> | undefined {
    const kept = this.#recent.get(key);
    if (kept !== undefined) return kept;
    const older = this.#older.get(key);
    if (older !== undefined) {
      this.#older.delete(key);
      this.#keep(key, older);
    }
    return older;
  }

  #keep(key: string, kept: Kept<Row>): void {
    const before = this.#recent.get(key);
    this.#recent.set(key, kept);
    this.#weight += kept.row.weight - (before?.row.weight ?? 0);
    this.#rotate();
  }

  #rotate(): void {
    if (this.#weight <= this.#options.limit / 2) return;
    this.#older = this.#recent;
    this.#olderWeight = this.#weight;
    this.#recent = new Map();
    this.#weight = 0;
  }
}
