/** A write transaction on a libSQL server. */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Arg, Touched } from '../access.ts';
import { boundArguments } from '../arguments.ts';
import { CommitUnknownError, StoreUnreachableError, WriteAbortedError } from '../errors.ts';
import type { Row } from '../native-connection.ts';
import {
  checkNoControl,
  type Draft,
  endedError,
  type Failure,
  type Played,
  type Session,
  type SessionWriter,
} from '../session.ts';
import { type SqlFacts, sqlFacts } from '../sql-text.ts';
import { MOVE_MARK } from '../store-identity.ts';
import type { TouchedSlots } from '../touched-slots.ts';
import { inTransaction, script } from './draft-script.ts';
import { jointScript } from './joint-script.ts';
import type { Lease, Leases } from './link.ts';
import type { Done, Outcome, Step } from './steps.ts';
import { EFFECT_STEPS, effectsOf, versionOf } from './trigger-effects.ts';

const ROLLBACK = { sql: 'ROLLBACK', args: [] };
const COMMIT: readonly Step[] = [
  { sql: 'COMMIT', args: [], condition: inTransaction },
  { ...ROLLBACK, condition: { type: 'and', conds: [{ type: 'error', step: 0 }, inTransaction] } },
];
/** What is not marked is not committed. */
const MARKED_COMMIT: readonly Step[] = [
  { sql: MOVE_MARK, args: [], condition: inTransaction },
  { sql: 'COMMIT', args: [], condition: { type: 'ok', step: 0 } },
  { ...ROLLBACK, condition: inTransaction },
];

/** A transaction that begins with its first statement. Any failure that may have ended it on the other side makes the whole session lost. */
export class RemoteSession implements Session {
  readonly #client: Leases;
  #lease: Promise<Lease> | undefined;
  #lost: Failure | undefined;

  constructor(client: Leases) {
    this.#client = client;
  }

  async execute(step: Step): Promise<Done> {
    if (this.#lost !== undefined) throw this.#lost.error;
    const own = { ...step, condition: inTransaction };
    try {
      const leasing = this.#lease;
      const outcomes = await (leasing === undefined
        ? this.#first([{ sql: 'BEGIN IMMEDIATE', args: [] }, own])
        : this.#client.run(await leasing, [own]));
      return doneOf(outcomes);
    } catch (error) {
      if (!isStatementError(error)) this.#lost ??= { error };
      throw error;
    }
  }

  /** @throws StoreUnreachableError, or the error that has ended the transaction */
  async play(drafts: readonly Draft[]): Promise<Played[]> {
    try {
      return (await this.#playTogether(drafts)) ?? (await this.#playOneByOne(drafts));
    } catch (error) {
      this.#lost ??= { error };
      throw error;
    }
  }

  /** @returns `undefined` where that is not possible, or a statement has failed */
  async #playTogether(drafts: readonly Draft[]): Promise<Played[] | undefined> {
    const { effects } = this.#client;
    const joint = effects && jointScript(drafts, effects, this.#lease !== undefined);
    if (joint === undefined) return undefined;
    const outcomes = await this.#send(joint.steps);
    if (versionOf(outcomes[joint.versioned]) !== effects?.version) {
      this.#client.effects = undefined;
      return undefined;
    }
    const given = joint.read(outcomes);
    return given && drafts.map((draft, i) => ({ draft, outcomes: given[i] ?? [], isUndone: false }));
  }

  async #playOneByOne(drafts: readonly Draft[]): Promise<Played[]> {
    const { steps, places } = script(drafts, this.#lease !== undefined);
    const asked = this.#client.effects === undefined ? EFFECT_STEPS : [];
    const all = await this.#send([...steps, ...asked.map((step) => ({ ...step, condition: inTransaction }))]);
    const outcomes = all.slice(0, steps.length);
    if (drafts.length > 1 && outcomes.at(-1) === undefined) throw transactionLost();
    this.#client.effects ??= effectsOf(all.slice(steps.length));
    return drafts.map((draft, i) => {
      const own = outcomes.slice(places[i], (places[i] ?? 0) + draft.statements.length);
      const isUndone = drafts.length > 1 && (draft.threw || own.some((one) => one instanceof LibsqlError));
      return { draft, outcomes: own, isUndone };
    });
  }

  /** @throws also the error that has ended the transaction */
  async #send(steps: readonly Step[]): Promise<Outcome[]> {
    const leasing = this.#lease;
    const outcomes = await (leasing === undefined ? this.#first(steps) : this.#client.run(await leasing, steps, true));
    const ended = outcomes.find((outcome) => outcome instanceof LibsqlError && !isStatementError(outcome));
    if (ended !== undefined) throw ended;
    return outcomes;
  }

  control(sql: string): Promise<unknown> {
    return this.execute({ sql, args: [] });
  }

  /** Begins. A connection can have ended while nobody used it: what is not committed is sent once more. */
  async #first(steps: readonly Step[]): Promise<Outcome[]> {
    this.#lease = this.#client.lease();
    try {
      return await this.#client.run(await this.#lease, steps, true);
    } catch (error) {
      if (!(error instanceof StoreUnreachableError) || error.isLate) throw error;
      this.#lease = this.#client.lease();
      return this.#client.run(await this.#lease, steps, true);
    }
  }

  writer(touched: TouchedSlots): SessionWriter {
    return new RemoteWriter(this, touched);
  }

  async commit(): Promise<void> {
    await this.#commit(COMMIT);
  }

  async commitMarked(): Promise<number | undefined> {
    const [moved] = await this.#commit(MARKED_COMMIT);
    if (moved === undefined || moved instanceof LibsqlError) return undefined;
    const [[mark] = []] = moved.rows;
    return mark === undefined ? undefined : Number(mark);
  }

  /** @param steps COMMIT is the last but one */
  async #commit(steps: readonly Step[]): Promise<Outcome[]> {
    const lost = this.#lost;
    if (lost !== undefined) {
      await this.rollback();
      throw new WriteAbortedError(lost.error);
    }
    if (this.#lease === undefined) return [];
    const lease = await this.#lease;
    try {
      // A commit after which the server writes its log back waits for those that have asked for the lock meanwhile, and answers after that.
      const outcomes = await this.#client.run(lease, steps, true);
      const failed = outcomes.find((outcome) => outcome instanceof LibsqlError);
      if (failed !== undefined) throw failed;
      if (outcomes.at(-2) === undefined) throw new WriteAbortedError(transactionLost());
      this.#client.release(lease);
      return outcomes;
    } catch (error) {
      lease.stream.close();
      throw error instanceof StoreUnreachableError ? new CommitUnknownError(error) : error;
    }
  }

  async rollback(): Promise<void> {
    const leasing = this.#lease;
    if (leasing === undefined) return;
    let lease: Lease | undefined;
    try {
      lease = await leasing;
      if (this.#lost !== undefined) return lease.stream.close();
      const [undone] = await this.#client.run(lease, [{ sql: 'ROLLBACK', args: [], condition: inTransaction }]);
      if (undone instanceof LibsqlError) lease.stream.close();
      else this.#client.release(lease);
    } catch {
      // COMMIT was never sent, so the server rolls back by itself when the stream ends.
      lease?.stream.close();
    }
  }

  // Over the network rows are inserted when they are given.
  readonly failure = undefined;

  flush(): undefined {}

  drop(): void {}

  get ended(): boolean {
    return this.#lost !== undefined;
  }

  /** Why the transaction is gone, if it is. */
  get lost(): Failure | undefined {
    return this.#lost;
  }
}

class RemoteWriter implements SessionWriter {
  readonly writer = true;
  readonly #session: RemoteSession;
  readonly #touched: TouchedSlots;
  readonly #pending = new Set<Promise<unknown>>();
  #ended = false;

  constructor(session: RemoteSession, touched: TouchedSlots) {
    this.#session = session;
    this.#touched = touched;
  }

  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  async read(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    const { rows } = await this.#execute(sql, sqlFacts(sql), args);
    return rows;
  }

  run(sql: string, args?: readonly Arg[], touched?: Touched): Promise<number> {
    return this.change(sql, args, touched);
  }

  async change(sql: string, args?: readonly Arg[], touched?: Touched): Promise<number> {
    const facts = sqlFacts(sql);
    const { changed } = await this.#execute(sql, facts, args, touched);
    return facts.kind === 'write' ? changed : 0;
  }

  async #execute(sql: string, facts: SqlFacts, args: readonly Arg[] | undefined, touched?: Touched): Promise<Done> {
    if (this.#ended) throw endedError();
    checkNoControl(facts, sql);
    this.#touched.note(facts, touched);
    const answer = this.#session.execute({ sql, args: boundArguments(sql, facts, args) });
    this.#pending.add(answer);
    try {
      return await answer;
    } finally {
      this.#pending.delete(answer);
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    // Promise.all in a body gives up at its first failure while others are still on the way: they belong to this job.
    await Promise.allSettled(this.#pending);
    if (this.#session.lost !== undefined) throw this.#session.lost.error;
  }
}

/** What the last statement gave. @throws LibsqlError */
function doneOf(outcomes: readonly Outcome[]): Done {
  for (const outcome of outcomes) if (outcome instanceof LibsqlError) throw outcome;
  const last = outcomes.at(-1);
  if (last === undefined || last instanceof LibsqlError) throw transactionLost();
  return last;
}

function transactionLost(): LibsqlError {
  return new LibsqlError('the server has ended the transaction', 'TRANSACTION_CLOSED');
}

/** Only the statement failed: SQLite rolled it back alone, and the transaction continues. */
function isStatementError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  if (!(error instanceof LibsqlError)) return false;
  return /^(SQLITE_(CONSTRAINT|ERROR|MISMATCH|TOOBIG|RANGE|AUTH)|SQL_|ARGS_|BLOCKED)/.test(error.code);
}
