/**
 * Reads of a store on a server that are begun before a request gets to them, in the round trip of what it waits for first. Whoever asks
 * for the same later gets what was begun, and everything else is read as usual, so a read that was begun in vain costs time only.
 */
import { type Awaitable, attempt } from '../awaitable.ts';
import type { Arg, Reader } from './access.ts';
import { SkippedReadError } from './errors.ts';
import type { Row } from './native-connection.ts';
import type { Guard } from './remote-store.ts';

/** The store as such reads need it. */
interface Readable extends Reader {
  /** Reads, unless a guard fails. @throws SkippedReadError where it does */
  readIf(guard: Guard, sql: string, args: readonly Arg[]): Promise<readonly Row[]>;
}

/** A statement with its arguments. */
interface Asked {
  readonly sql: string;
  readonly args: readonly Arg[];
}

interface Begun extends Asked {
  readonly rows: Promise<readonly Row[]>;
}

/** A row, and the arguments of the statement that would have found it. */
interface Found {
  readonly args: readonly Arg[];
  readonly row: Row;
}

/** The reads of one request. */
export class AheadReads implements Reader {
  readonly #store: Readable;
  readonly #guard: Guard | undefined;
  readonly #begun: Begun[] = [];
  /** Rows that were read in another way, by the statement that asks for one of them. */
  readonly #found = new Map<string, Promise<readonly Found[]>>();
  readonly #beginner: Reader;

  /** @param guard decides whether they are made at all, in the same round trip */
  constructor(store: Readable, guard?: (reader: Reader) => Awaitable<unknown>) {
    this.#store = store;
    this.#guard = guard && guardOf(guard);
    const read = (sql: string, args: readonly Arg[] = []) => this.#start({ sql, args });
    this.#beginner = { read, query: read };
  }

  /** Begins reads. Their failures are those of whoever asks for the same later. */
  begin(work: (reader: Reader) => Awaitable<unknown>): void {
    const begun = attempt<unknown>(
      () => work(this.#beginner),
      () => undefined,
    );
    if (begun instanceof Promise) begun.catch(() => {});
  }

  /**
   * Begins a read of rows that a statement will be asked for one by one.
   * @param sql the statement that finds one of them
   * @param argsOf the arguments with which it finds a row
   */
  beginFor(sql: string, other: Asked, argsOf: (row: Row) => readonly Arg[]): void {
    const found = this.#start(other).then((rows) => rows.map((row) => ({ row, args: argsOf(row) })));
    found.catch(() => {});
    this.#found.set(sql, found);
  }

  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  async read(sql: string, args: readonly Arg[] = []): Promise<readonly Row[]> {
    const known = this.#begun.find((one) => one.sql === sql && areSame(one.args, args));
    if (known !== undefined) {
      return known.rows.catch((error: unknown) => {
        if (error instanceof SkippedReadError) return this.#store.read(sql, args);
        throw error;
      });
    }
    const found = await this.#found.get(sql)?.catch(() => undefined);
    const own = found?.find((one) => areSame(one.args, args));
    return own === undefined ? this.#store.read(sql, args) : [own.row];
  }

  #start({ sql, args }: Asked): Promise<readonly Row[]> {
    const rows = this.#guard === undefined ? this.#store.query(sql, args) : this.#store.readIf(this.#guard, sql, args);
    rows.catch(() => {});
    this.#begun.push({ sql, args, rows });
    return rows;
  }
}

/** The statement that a guard runs. */
function guardOf(run: (reader: Reader) => Awaitable<unknown>): Guard {
  let guard: Guard | undefined;
  const read = (sql: string, args: readonly Arg[] = []): never[] => {
    guard = { sql, args };
    return [];
  };
  void run({ read, query: async (sql, args) => read(sql, args) });
  if (guard === undefined) throw new TypeError('a guard is a statement');
  return guard;
}

function areSame(some: readonly Arg[], others: readonly Arg[]): boolean {
  return some.length === others.length && some.every((arg, place) => arg === others[place]);
}
