/** The second run of a body whose statements were sent before: see `draft.ts`. */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Awaitable } from '../awaitable.ts';
import type { Arg, Draws, Touched } from './access.ts';
import { boundArguments } from './arguments.ts';
import { isSame } from './draft.ts';
import type { Row } from './native-connection.ts';
import { checkNoControl, endedError, type Played, type PlayedOutcome, type SessionWriter } from './session.ts';
import { type SqlFacts, sqlFacts } from './sql-text.ts';
import type { TouchedSlots } from './touched-slots.ts';

/** The body does not do what its draft has done. */
class OffDraftError extends Error {
  override readonly name = 'OffDraftError';
  constructor() {
    super('a write does something else than in its draft');
  }
}

/** Answers the statements of a body from the outcomes of its draft, as long as they are the same. */
export class PlayedWriter implements SessionWriter, Draws {
  readonly writer = true;
  readonly #played: Played;
  readonly #touched: TouchedSlots;
  /** Places of statements that were asked for. */
  readonly #used = new Set<number>();
  /** The first statement that was not. */
  #at = 0;
  #drawn = 0;
  #isOff = false;
  #ended = false;

  constructor(played: Played, touched: TouchedSlots) {
    this.#played = played;
    this.#touched = touched;
  }

  get draws(): Draws {
    return this;
  }

  time(make: () => string): string {
    const value = this.#draw();
    return typeof value === 'string' ? value : make();
  }

  sequence(make: () => bigint | undefined): bigint | undefined {
    const value = this.#draw();
    return typeof value === 'bigint' ? value : make();
  }

  async query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  read(sql: string, args?: readonly Arg[]): Awaitable<readonly Row[]> {
    return this.#next(sql, sqlFacts(sql), args, undefined).rows;
  }

  async run(sql: string, args?: readonly Arg[], touched?: Touched): Promise<number> {
    return this.change(sql, args, touched);
  }

  change(sql: string, args?: readonly Arg[], touched?: Touched): number {
    const facts = sqlFacts(sql);
    const { changed } = this.#next(sql, facts, args, touched);
    return facts.kind === 'write' ? changed : 0;
  }

  end(): undefined {
    this.#ended = true;
  }

  /**
   * Returns whether the transaction holds exactly what the body has done.
   * @param threw it has failed, and what it wrote is to be undone
   * @param alone nothing else is in the transaction, which is undone as a whole if the body failed
   */
  holds(threw: boolean, alone: boolean): boolean {
    if (this.#isOff) return false;
    const { draft, outcomes, isUndone } = this.#played;
    const wrote = draft.statements.some(({ writes }, place) => writes && isDone(outcomes[place]));
    if (threw) return alone || isUndone || !wrote;
    const unasked = draft.statements.some(({ writes }, place) => writes && !this.#used.has(place));
    return !unasked && !(isUndone && wrote);
  }

  #draw(): string | bigint | undefined {
    const value = this.#played.draft.drawn[this.#drawn];
    this.#drawn += 1;
    return value;
  }

  #next(
    sql: string,
    facts: SqlFacts,
    args: readonly Arg[] | undefined,
    touched: Touched | undefined,
  ): Exclude<PlayedOutcome, LibsqlError | undefined> {
    if (this.#ended) throw endedError();
    checkNoControl(facts, sql);
    this.#touched.note(facts, touched);
    const bound = boundArguments(sql, facts, args);
    const { statements } = this.#played.draft;
    for (let place = this.#at; place < statements.length; place += 1) {
      const statement = statements[place];
      if (statement === undefined) break;
      if (!this.#used.has(place) && isSame(statement, sql, bound)) return this.#answer(place);
      // Reads that the body began together may come in another order; nothing passes a write.
      if (statement.writes && !this.#used.has(place)) break;
    }
    this.#isOff = true;
    throw new OffDraftError();
  }

  #answer(place: number): Exclude<PlayedOutcome, LibsqlError | undefined> {
    this.#used.add(place);
    while (this.#used.has(this.#at)) this.#at += 1;
    const outcome = this.#played.outcomes[place];
    if (outcome instanceof LibsqlError) throw outcome;
    if (outcome !== undefined) return outcome;
    this.#isOff = true;
    throw new OffDraftError();
  }
}

function isDone(outcome: PlayedOutcome): boolean {
  return outcome !== undefined && !(outcome instanceof LibsqlError);
}
