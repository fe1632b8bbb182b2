/** Results of the embedded client by the `Client` contract of `@libsql/client`. */
import type { Row as ClientRow, Value as ClientValue, ResultSet } from '@libsql/client';
import type { Outcome, Row } from './native-connection.ts';

/** A row by the `Client` contract: own enumerable properties are the column names, indexes and `length` are hidden. */
class NamedRow implements ClientRow {
  [name: string]: ClientValue;
  readonly #values: Row;

  constructor(values: Row, names: readonly string[]) {
    this.#values = values;
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const value = values[i];
      if (name === undefined || value === undefined) continue;
      if (name in this) {
        // A repeated name (the first wins), or one that is taken: `length`, an index, or a member of Object.
        if (Object.hasOwn(this, name) || name === 'length') continue;
        if (indexName.test(name) && Number(name) < values.length) continue;
        Object.defineProperty(this, name, { value, enumerable: true, configurable: true, writable: true });
      } else {
        this[name] = value;
      }
    }
  }

  get length(): number {
    return this.#values.length;
  }

  static defineIndex(index: number): void {
    Object.defineProperty(NamedRow.prototype, index, {
      get(this: NamedRow) {
        return this.#values[index];
      },
    });
  }
}
const indexName = /^\d+$/;
let definedIndexes = 0;

/** A result whose columns and named rows are made when they are first asked for; {@link rawRows} cost nothing. */
export class NativeResultSet implements ResultSet {
  /** The rows by index only, without names. */
  readonly rawRows: readonly Row[];
  readonly rowsAffected: number;
  readonly lastInsertRowid: bigint | undefined;
  readonly #describeColumns: Outcome['describe'];
  #described: { names: string[]; types: string[] } | undefined;
  #named: ClientRow[] | undefined;

  constructor(outcome: Outcome) {
    this.rawRows = outcome.rows;
    this.rowsAffected = outcome.changes;
    this.lastInsertRowid = outcome.lastInsertRowid;
    this.#describeColumns = outcome.describe;
  }

  #describe(): { names: string[]; types: string[] } {
    if (this.#described === undefined) {
      const columns = this.#describeColumns();
      this.#described = { names: columns.map((c) => c.name), types: columns.map((c) => c.type ?? '') };
    }
    return this.#described;
  }

  get columns(): string[] {
    return this.#describe().names;
  }

  get columnTypes(): string[] {
    return this.#describe().types;
  }

  get rows(): ClientRow[] {
    if (this.#named === undefined) {
      const { names } = this.#describe();
      while (definedIndexes < names.length) NamedRow.defineIndex(definedIndexes++);
      this.#named = this.rawRows.map((row) => new NamedRow(row, names));
    }
    return this.#named;
  }

  toJSON(): unknown {
    const plain = (value: ClientValue): unknown => {
      if (typeof value === 'bigint') return value.toString();
      return value instanceof ArrayBuffer ? Buffer.from(value).toString('base64') : value;
    };
    return {
      columns: this.columns,
      columnTypes: this.columnTypes,
      rows: this.rawRows.map((row) => row.map(plain)),
      rowsAffected: this.rowsAffected,
      lastInsertRowid: this.lastInsertRowid?.toString() ?? null,
    };
  }
}
