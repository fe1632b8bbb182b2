/**
 * Drafts of writes, for stores where each statement of a transaction is a round trip under the lock. A body that can run again is run
 * outside of the transaction first, as a draft: its reads are plain reads, its writes are noted, and what they would give is guessed. The
 * transaction then gets all statements of the draft at once, and the body runs a second time against what they really gave. Each statement
 * that it asks for has to be the one that was sent, so a draft that guessed wrong costs time and changes nothing. It is made again then, with
 * what its statements really gave.
 */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Awaitable } from '../awaitable.ts';
import type { Arg, Draws, Writer } from './access.ts';
import { type BoundValue, boundArguments } from './arguments.ts';
import type { Row } from './native-connection.ts';
import {
  checkNoControl,
  type Draft,
  type DraftedStatement,
  endedError,
  type Played,
  type PlayedOutcome,
} from './session.ts';
import { type SqlFacts, sqlFacts } from './sql-text.ts';

/** Statements of one draft at most. More would keep the lock for long if they were for nothing. */
const MOST_DRAFTED = 400;

type ReadCommitted = (sql: string, args: readonly Arg[] | undefined) => Promise<readonly Row[]>;

/** The writer of a draft. */
class DraftWriter implements Writer, Draws {
  readonly writer = true;
  readonly #read: ReadCommitted;
  readonly #statements: DraftedStatement[] = [];
  readonly #drawn: (string | bigint | undefined)[] = [];
  /** Reads that were made: what follows on a write of the same draft is read anew in the transaction only. */
  readonly #known = new Map<string, Promise<readonly Row[]>>();
  readonly #before: Played | undefined;
  /** Places of statements of the draft before whose outcomes are taken. */
  readonly #taken = new Set<number>();
  #ended = false;

  /**
   * @param read reads what is committed
   * @param before a draft of the same body that did something else than the body, and what it gave
   */
  constructor(read: ReadCommitted, before: Played | undefined) {
    this.#read = read;
    this.#before = before;
  }

  get draws(): Draws {
    return this;
  }

  time(make: () => string): string {
    const before = this.#before?.draft.drawn[this.#drawn.length];
    const value = typeof before === 'string' ? before : make();
    this.#drawn.push(value);
    return value;
  }

  sequence(make: () => bigint | undefined): bigint | undefined {
    const before = this.#before?.draft.drawn[this.#drawn.length];
    const value = typeof before === 'bigint' ? before : make();
    this.#drawn.push(value);
    return value;
  }

  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  async read(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    const facts = sqlFacts(sql);
    const bound = this.#note(sql, facts, args);
    const given = this.#given(sql, bound);
    if (given !== undefined) return given.rows;
    // Of rows that a statement would write, nothing is known.
    if (facts.kind !== 'read' && facts.kind !== 'pragma') return [];
    const key = statementKey(sql, bound);
    let rows = this.#known.get(key);
    if (rows === undefined) {
      rows = this.#read(sql, args);
      this.#known.set(key, rows);
    }
    return rows;
  }

  async run(sql: string, args?: readonly Arg[]): Promise<number> {
    return this.change(sql, args);
  }

  /** Most statements that write are for one row, found by its key. */
  change(sql: string, args?: readonly Arg[]): number {
    const facts = sqlFacts(sql);
    const bound = this.#note(sql, facts, args);
    return facts.kind === 'write' ? (this.#given(sql, bound)?.changed ?? 1) : 0;
  }

  /** Ends the handle. Resolves when none of its reads is on the way any more. */
  async end(threw: boolean): Promise<Draft> {
    this.#ended = true;
    await Promise.allSettled(this.#known.values());
    return { statements: this.#statements, drawn: this.#drawn, threw };
  }

  /** What a statement gave when it was sent before. */
  #given(sql: string, bound: readonly BoundValue[]): Exclude<PlayedOutcome, LibsqlError> {
    if (this.#before === undefined) return undefined;
    const { draft, outcomes } = this.#before;
    const place = draft.statements.findIndex((one, i) => !this.#taken.has(i) && isSame(one, sql, bound));
    this.#taken.add(place);
    const outcome = outcomes[place];
    if (outcome instanceof LibsqlError) throw outcome;
    return outcome;
  }

  #note(sql: string, facts: SqlFacts, args: readonly Arg[] | undefined): readonly BoundValue[] {
    if (this.#ended) throw endedError();
    checkNoControl(facts, sql);
    const bound = boundArguments(sql, facts, args);
    this.#statements.push({ sql, args: bound, writes: facts.kind !== 'read' && facts.kind !== 'pragma' });
    return bound;
  }
}

/**
 * Runs a body as a draft.
 * @param before a draft of it that guessed wrong
 * @returns `undefined` where it is too long, or reads could not be made
 */
export async function draftOf(
  read: ReadCommitted,
  body: (writer: Writer) => Awaitable<unknown>,
  before?: Played,
): Promise<Draft | undefined> {
  const writer = new DraftWriter(read, before);
  let threw = false;
  try {
    await body(writer);
  } catch {
    threw = true;
  }
  const draft = await writer.end(threw);
  return draft.statements.length > MOST_DRAFTED ? undefined : draft;
}

/** A text that a statement has in common with those that are the same, arguments included. */
export function statementKey(sql: string, args: readonly BoundValue[]): string {
  return JSON.stringify([sql, ...args.map((value) => [typeof value, String(value)])]);
}

/** Returns whether two statements are the same, arguments included. */
export function isSame(one: DraftedStatement, sql: string, args: readonly BoundValue[]): boolean {
  return (
    one.sql === sql && one.args.length === args.length && one.args.every((value, i) => isSameValue(value, args[i]))
  );
}

function isSameValue(one: BoundValue, other: BoundValue | undefined): boolean {
  if (one instanceof Uint8Array) return other instanceof Uint8Array && Buffer.compare(one, other) === 0;
  return one === other;
}
