/**
 * Moves an account to another store while it is used. Its rows are copied, then what has changed meanwhile; for the last of it the account takes
 * no writes. The place that the directory gives decides where the account is: until it changes a move that was left is undone, and
 * from then on it is ended. See ADR 0036.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Awaitable } from '../../awaitable.ts';
import {
  countNotes,
  forgetNotes,
  MOST_CHANGES,
  noteChanges,
  noteNoChanges,
  readChanges,
  readLast,
  readRows,
  readSlice,
  replaceRows,
  SLICE,
} from '../../db/account-copy.ts';
import { type AccountTable, accountTables, RECORDS, removeAccountRows } from '../../db/account-rows.ts';
import type { Database, Row, Writer } from '../../db/database.ts';
import { StoreUnreachableError } from '../../db/errors.ts';
import { type LogSpan, logSpan, markLog, type TakenNumbers, takeLogNumbers } from '../../db/moved-log.ts';
import { inTime } from '../../in-time.ts';
import { listLeftMoves } from './account-work.ts';
import { type AccountMove, KEPT_S, LEASE_S, MoveLostError, MoveRights, type MoveState } from './move-rights.ts';
import { DIRECTORY, removePlace, setPlace } from './places.ts';
import type { DirectoryStores } from './routed-database.ts';

/** The steps of a move that are done, in their order. */
export const moveSteps = [
  'NOTED',
  'SEIZED',
  'WATCHED',
  'COPIED',
  'CAUGHT_UP',
  'CLOSED',
  'COMPLETED',
  'OPENED',
  'RELEASED',
] as const;
export type MoveStep = (typeof moveSteps)[number];

/** Follows a move. */
export interface MoveFollower {
  /** Called after each step. */
  readonly onStep?: ((step: MoveStep) => Awaitable<void>) | undefined;
  /** Called where it has failed, before it is undone. */
  readonly onFailed?: (() => void) | undefined;
  /** Called with the number of rows that were copied. */
  readonly onRows?: ((count: number) => void) | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Why the move is to be given up. */
  readonly stopped?: (() => Error | undefined) | undefined;
}

/** The write of the directory that says where the account is, which waits for its turn. */
interface Decision {
  /** It has its turn. */
  isBegun: boolean;
  /** It changes nothing when it has. */
  isGivenUp: boolean;
}

/** The account would be closed for too long. Nothing has changed its place. */
class TooLateError extends Error {
  override readonly name = 'TooLateError';
}

/** The account is written faster than its changes can be copied. */
export class MoveTooSlowError extends Error {
  override readonly name = 'MoveTooSlowError';
}

/** The number is said again that often, in milliseconds. */
const RENEW_MS = 2500;
/** A move that has failed is settled again after this time where a store is away. */
const SETTLE_AGAIN_MS = 200;
/** Writes wait no longer than this for the last changes: if those take more, the account is opened again, and closed later. */
const WINDOW_MS = 500;
/** Likewise, where the account cannot change its place by then: what is left are two commits, and the account is open. */
const SWITCH_MS = 650;
/** For its COMMIT writes of other accounts of the target wait no longer; it is then read what has become of the move. */
const STALL_MS = 1000;
/** The account is closed when fewer changes than a slice are left. */
const FEW = SLICE - 1;
/** Slices of changes after which fewer must be left than before, or the account is closed all the same. */
const ROUNDS = 10;
/** It is closed this often: while it is, changes are copied and none are added, so that less is left each time. */
const MOST_CLOSINGS = 60;

/** Moves an account. @returns how long it took no writes, in milliseconds @throws MoveUnderWayError, MoveLostError, MoveTooSlowError, and errors of stores: it is where it was, or will be when the store is back */
export async function moveAccount(shards: DirectoryStores, move: AccountMove, follower: MoveFollower): Promise<number> {
  const rights = await MoveRights.begin(shards, move);
  const transfer = new Transfer(shards, rights, follower);
  try {
    await transfer.copy();
    return await transfer.complete();
  } catch (error) {
    follower.onFailed?.();
    if ((await transfer.settle()) === 'MOVED') return transfer.closed_ms;
    throw error;
  }
}

/** Undoes or ends moves that were left by processes that are gone, and removes what they left behind. */
export async function endLeftMoves(shards: DirectoryStores, elapsed: () => number): Promise<void> {
  for (const { account_id } of await listLeftMoves.all(shards.directory)) {
    const taken = await MoveRights.takeOver(shards, account_id);
    if (taken === undefined) continue;
    const { rights, state } = taken;
    await rights.seize();
    const transfer = new Transfer(shards, rights, { elapsed });
    if (state === ('COPYING' satisfies MoveState)) await transfer.undo();
    else await transfer.end();
  }
}

class Transfer {
  /** How long the account took no writes, in milliseconds. */
  closed_ms = 0;
  readonly #shards: DirectoryStores;
  readonly #rights: MoveRights;
  readonly #move: AccountMove;
  readonly #follower: MoveFollower;
  readonly #source: Database;
  readonly #target: Database;
  #tables: readonly AccountTable[] = [];
  /** The numbers that changes in the log get on the target. */
  readonly #numbers: TakenNumbers[] = [];
  /** The last note that was copied. */
  #after = 0n;
  /** The most notes that are read next. */
  #size = SLICE;
  #renewed_ms: number;
  #state: MoveState = 'COPYING';

  constructor(shards: DirectoryStores, rights: MoveRights, follower: MoveFollower) {
    this.#shards = shards;
    this.#rights = rights;
    this.#move = rights.move;
    this.#follower = follower;
    this.#source = shards.database(rights.move.source);
    this.#target = shards.database(rights.move.target);
    this.#renewed_ms = follower.elapsed();
  }

  /** Copies all rows, and has their changes noted from before on. */
  async copy(): Promise<void> {
    const { account_id, source, target } = this.#move;
    await this.#did('NOTED');
    await this.#rights.seize();
    await this.#did('SEIZED');
    await this.#clean(target, this.#target);
    this.#tables = await accountTables(this.#source);
    await this.#takeNumbers(await logSpan(this.#source, account_id));
    await this.#forgetNotes();
    await this.#rights.write(source, (writer) => noteChanges(writer, this.#tables, account_id));
    await this.#did('WATCHED');
    const lasts: (readonly [AccountTable, Row | undefined])[] = [];
    for (const table of this.#copied()) lasts.push([table, await readLast(this.#source, table, account_id)]);
    for (const [table, last] of lasts) if (last !== undefined) await this.#copyTable(table, last);
    await this.#did('COPIED');
  }

  /** Copies what has changed, the last of it while the account is closed, and has the account be on the target. */
  async complete(): Promise<number> {
    for (let closings = 0; ; closings += 1) {
      await this.#catchUp();
      await this.#did('CAUGHT_UP');
      const began = await this.#setClosed(true);
      await this.#did('CLOSED');
      if ((await this.#copyLast(began)) && (await this.#switchInTime(began))) {
        this.closed_ms = this.#follower.elapsed() - began;
        break;
      }
      await this.#setClosed(false);
      if (closings === MOST_CLOSINGS) throw new MoveTooSlowError(this.#move.account_id);
    }
    await this.#did('OPENED');
    await this.#release();
    await this.#did('RELEASED');
    return this.closed_ms;
  }

  /** The account takes writes where it is now. May be repeated. */
  async open(): Promise<void> {
    const { target } = this.#move;
    if (target !== DIRECTORY) await this.#rights.write(target, (writer) => this.#openIn(writer));
    this.#shards.places.forget();
  }

  async #openIn(writer: Writer): Promise<void> {
    const { account_id, target: shard } = this.#move;
    await setPlace.run(writer, { account_id, shard, closed: false });
    await markLog(writer);
  }

  /** Ends a move after the account has changed its place. */
  async end(): Promise<void> {
    const { source } = this.#move;
    this.#state = 'MOVED';
    await this.open();
    await this.#release();
    await this.#clean(source, this.#source);
    await this.#rights.write(source, (writer) => markLog(writer));
    await this.#rights.end();
  }

  /** Undoes a move before that. */
  async undo(): Promise<void> {
    const { target } = this.#move;
    await this.#setClosed(false);
    await this.#noteNothing(false);
    await this.#clean(target, this.#target);
    await this.#rights.end();
  }

  /**
   * Undoes a move that has failed, if the account has not changed its place; otherwise opens it there. Where a store is away, tries again until
   * others may take the move over: the account may be closed meanwhile.
   * @returns what is noted, if the move is ours and that could be found out
   */
  async settle(): Promise<string | undefined> {
    const { elapsed, stopped } = this.#follower;
    const until = elapsed() + LEASE_S * 1000;
    for (;;) {
      try {
        return await this.#settle();
      } catch (error) {
        if (error instanceof MoveLostError || stopped?.() !== undefined || elapsed() > until) return undefined;
      }
      await sleep(SETTLE_AGAIN_MS);
    }
  }

  async #settle(): Promise<string | undefined> {
    const state = await this.#rights.noted();
    if (state === ('MOVED' satisfies MoveState)) await this.open();
    if (state !== ('COPYING' satisfies MoveState)) return state;
    await this.#rights.seize();
    if (this.#follower.stopped?.() === undefined) await this.undo();
    else await this.#leave();
    return state;
  }

  /** Has somebody else undo it at once. */
  async #leave(): Promise<void> {
    await this.#setClosed(false);
    await this.#rights.note('COPYING', 0);
  }

  async #did(step: MoveStep): Promise<void> {
    await this.#follower.onStep?.(step);
  }

  /** The tables whose rows are copied. The record is in the directory already, as a copy, and is used there. */
  #copied(): readonly AccountTable[] {
    return this.#move.target === DIRECTORY ? this.#tables.filter(({ name }) => name !== RECORDS) : this.#tables;
  }

  /** @param last row that is copied: those behind it were added since changes are noted */
  async #copyTable(table: AccountTable, last: Row): Promise<void> {
    const { account_id, target } = this.#move;
    for (let after: Row | undefined; ; ) {
      await this.#goOn();
      const found = await readSlice(this.#source, table, account_id, after, last);
      if (found.length === 0) return;
      await this.#numberAll(table, found);
      await this.#rights.write(target, (writer) => replaceRows(writer, table, [], found, this.#numbered));
      this.#follower.onRows?.(found.length);
      after = found.at(-1);
    }
  }

  /** Copies changes until few are left, or no fewer than before. */
  async #catchUp(): Promise<void> {
    const { account_id } = this.#move;
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const left = await countNotes(this.#source, account_id, this.#after);
      if (left >= before) return;
      before = left;
      for (let round = 0; round < ROUNDS; round += 1) {
        await this.#goOn();
        if ((await this.#copyChanges()) <= FEW) return;
      }
    }
  }

  /** Copies what is left of the changes. @returns false where that takes too long */
  async #copyLast(began: number): Promise<boolean> {
    for (;;) {
      const copied = await this.#copyChanges();
      if (this.#follower.elapsed() - began > WINDOW_MS) return false;
      if (copied === 0) return true;
    }
  }

  /** @returns the number of changes that were copied */
  async #copyChanges(): Promise<number> {
    const { account_id, target } = this.#move;
    const { last, count, keys } = await readChanges(this.#source, account_id, this.#after, this.#size);
    this.#size = count < this.#size ? SLICE : Math.min(2 * this.#size, MOST_CHANGES);
    if (count === 0) return 0;
    const parts: { table: AccountTable; own: readonly string[]; rows: readonly Row[] }[] = [];
    for (const table of this.#copied()) {
      const own = keys.get(table.name);
      if (own === undefined) continue;
      const rows = await readRows(this.#source, table, account_id, own);
      await this.#numberAll(table, rows);
      parts.push({ table, own, rows });
    }
    await this.#rights.write(target, async (writer) => {
      for (const { table, own, rows } of parts) await replaceRows(writer, table, own, rows, this.#numbered);
    });
    this.#after = last;
    return count;
  }

  /** Takes numbers for changes in the log that have none yet: the source may have given away many of its own at once. */
  async #numberAll({ name, columns }: AccountTable, rows: readonly Row[]): Promise<void> {
    if (name !== 'change_log') return;
    const at = columns.indexOf('seq');
    for (const row of rows) {
      const seq = row[at];
      if (typeof seq === 'bigint' && this.#numbersOf(seq) === undefined)
        await this.#takeNumbers({ first: seq, last: seq });
    }
  }

  async #takeNumbers(span: LogSpan): Promise<void> {
    const { target } = this.#move;
    this.#numbers.push(await this.#rights.write(target, (writer) => takeLogNumbers(writer, span)));
  }

  #numbersOf(seq: bigint): TakenNumbers | undefined {
    return this.#numbers.findLast(({ first, last }) => first <= seq && seq <= last);
  }

  readonly #numbered = (seq: bigint): bigint => seq + (this.#numbersOf(seq)?.shift ?? 0n);

  /** Says from time to time that the move goes on. @throws MoveLostError, or why it is to be given up */
  async #goOn(): Promise<void> {
    const stopped = this.#follower.stopped?.();
    if (stopped !== undefined) throw stopped;
    const now = this.#follower.elapsed();
    if (now - this.#renewed_ms < RENEW_MS) return;
    await this.#rights.note(this.#state);
    this.#renewed_ms = now;
  }

  /** @returns since when it is so: until this write has the lock of the store, others write the account */
  async #setClosed(closed: boolean): Promise<number> {
    const { account_id, source: shard } = this.#move;
    return this.#rights.write(shard, async (writer) => {
      const since = this.#follower.elapsed();
      await setPlace.run(writer, { account_id, shard, closed });
      return since;
    });
  }

  /** @returns false where the account stays, since it has been closed for too long */
  async #switchInTime(began: number): Promise<boolean> {
    await this.#did('COMPLETED');
    try {
      await this.#switch(began + SWITCH_MS);
      return true;
    } catch (error) {
      if (error instanceof TooLateError) return false;
      throw error;
    }
  }

  /**
   * From here on the account is on the target, and open there. The target is locked while the directory is written, so that nobody waits for
   * its lock with the account closed; its COMMIT comes last, since it would take writes from whoever still knows the account there from before.
   * @throws TooLateError where the directory can be written only after a time
   */
  async #switch(until: number): Promise<void> {
    const { account_id, target } = this.#move;
    const records = target === DIRECTORY ? this.#tables.filter(({ name }) => name === RECORDS) : [];
    const key = JSON.stringify([account_id]);
    const found = await Promise.all(
      records.map(async (table) => ({ table, rows: await readRows(this.#source, table, account_id, [key]) })),
    );
    const decision = { isBegun: false, isGivenUp: false };
    const decide = () =>
      this.#decide(until, decision, async (writer) => {
        for (const { table, rows } of found) await replaceRows(writer, table, [key], rows, this.#numbered);
      });
    if (target === DIRECTORY) await decide();
    else {
      await this.#rights.write(target, async (writer) => {
        await this.#openIn(writer);
        const left = until - this.#follower.elapsed();
        if (left < 0) throw new TooLateError();
        const decided = decide();
        await inTime(decided, left, () => {
          if (decision.isBegun) return;
          decision.isGivenUp = true;
          throw new TooLateError();
        });
        await inTime(decided, STALL_MS, () => {
          throw new StoreUnreachableError('of the directory', 'it has not answered in time', true);
        });
      });
    }
    this.#shards.places.forget();
  }

  /** Has the directory say where the account is. @throws TooLateError where that begins too late, or is given up before */
  async #decide(until: number, decision: Decision, replaceRecord: (writer: Writer) => Promise<void>): Promise<void> {
    const { account_id, target: shard } = this.#move;
    await this.#shards.directory.write(async (writer) => {
      await this.#rights.note('MOVED', KEPT_S, writer);
      if (decision.isGivenUp || this.#follower.elapsed() > until) throw new TooLateError();
      // From here on, nobody is waited for.
      decision.isBegun = true;
      await replaceRecord(writer);
      if (shard === DIRECTORY) await markLog(writer);
      await setPlace.run(writer, { account_id, shard, closed: false });
    });
  }

  /** Rows that are left on the source do not count any more, and their changes are not noted. */
  async #release(): Promise<void> {
    await this.#noteNothing(this.#move.source !== DIRECTORY);
  }

  async #noteNothing(isGone: boolean): Promise<void> {
    const { account_id, source } = this.#move;
    const tables = await accountTables(this.#source);
    await this.#rights.write(source, async (writer) => {
      await noteNoChanges(writer, tables, account_id);
      if (isGone) await removePlace.run(writer, { account_id });
    });
    await this.#forgetNotes();
  }

  async #forgetNotes(): Promise<void> {
    const { account_id, source } = this.#move;
    await forgetNotes((sql, args) => this.#rights.write(source, (writer) => writer.run(sql, args)), account_id);
  }

  /** Removes all rows of the account in a store. */
  async #clean(shard: string, database: Database): Promise<void> {
    await removeAccountRows(database, this.#move.account_id, {
      keepRecord: shard === DIRECTORY,
      change: async (body) => {
        await this.#goOn();
        return this.#rights.write(shard, body);
      },
    });
  }
}
