/** What a move of an account may write: it has a number, and in each store only the move with the highest one counts. */
import type { Reader, Writer } from '../../db/database.ts';
import { beginWork, endWork, findMove, holdsStore, nextMove, noteMove, seizeShard, takeWork } from './account-work.ts';
import { DIRECTORY, placeIn } from './places.ts';
import type { DirectoryStores } from './routed-database.ts';

/** A move of an account from one store to another, which may have been begun by another process. */
export interface AccountMove {
  readonly account_id: string;
  /** The store that it is on; empty for that of the directory. */
  readonly source: string;
  readonly target: string;
}

/** How far a move is: rows are copied; the account is on the target; what is left on the source may be removed. */
export type MoveState = 'COPYING' | 'MOVED';

/** A process that does not say for so many seconds that it goes on with a move has left it. */
export const LEASE_S = 10;
/** What is left on the source is removed so many seconds later: others may read there until then, see `Places`. */
export const KEPT_S = 30;

/** The move was taken over by somebody else, who undoes or ends it. */
export class MoveLostError extends Error {
  override readonly name = 'MoveLostError';
}

/** The account is being moved already, or what it has left behind after a move is not removed yet. */
export class MoveUnderWayError extends Error {
  override readonly name = 'MoveUnderWayError';
  readonly move: AccountMove;
  readonly state: string;

  constructor(move: AccountMove, state: string) {
    super(`the account ${move.account_id} is being moved to ${move.target}`);
    this.move = move;
    this.state = state;
  }
}

const kind = 'MOVE';

export class MoveRights {
  readonly move: AccountMove;
  readonly #shards: DirectoryStores;
  readonly #token: string;

  private constructor(shards: DirectoryStores, move: AccountMove, token: string) {
    this.#shards = shards;
    this.move = move;
    this.#token = token;
  }

  /** Notes a move. @throws MoveUnderWayError where one is noted; MoveLostError where the account is not on the source */
  static async begin(shards: DirectoryStores, move: AccountMove): Promise<MoveRights> {
    const token = await shards.directory.write(async (writer) => {
      const { account_id, source } = move;
      const found = await findMove.first(writer, { account_id });
      if (found !== undefined) throw new MoveUnderWayError(found, found.state);
      if (((await placeIn(writer, account_id))?.shard ?? DIRECTORY) !== source) throw new MoveLostError(account_id);
      const number = await nextMove(writer);
      const state: MoveState = 'COPYING';
      await beginWork.run(writer, { ...move, kind, state, token: number, for_s: LEASE_S });
      return number;
    });
    return new MoveRights(shards, move, token);
  }

  /**
   * Takes over the move of an account that was left, as it is then: since it was found to be left, it may have ended and another one begun.
   * @returns `undefined` where somebody else has taken it over, or goes on with it
   */
  static async takeOver(
    shards: DirectoryStores,
    account_id: string,
  ): Promise<{ readonly rights: MoveRights; readonly state: string } | undefined> {
    const found = await shards.directory.write(async (writer) => {
      const token = await nextMove(writer);
      if ((await takeWork.run(writer, { account_id, kind, token, for_s: LEASE_S })) === 0) return undefined;
      return findMove.first(writer, { account_id });
    });
    if (found === undefined) return undefined;
    const { state, token, source, target } = found;
    return { rights: new MoveRights(shards, { account_id, source, target }, token), state };
  }

  /** Takes the right to write both stores. In that of the directory the note gives it. */
  async seize(): Promise<void> {
    const row = { ...this.move, token: this.#token };
    for (const shard of [this.move.source, this.move.target]) {
      if (shard !== DIRECTORY) await this.#shards.database(shard).write((writer) => seizeShard.run(writer, row));
    }
  }

  /** Writes a store. @throws MoveLostError, with nothing written, where the move is not ours any more */
  write<Result>(shard: string, body: (writer: Writer) => Promise<Result>): Promise<Result> {
    return this.#shards.database(shard).write(async (writer) => {
      await this.#check(writer);
      return body(writer);
    });
  }

  /** Notes how far it is, in a write of the directory or by one of its own. @throws MoveLostError */
  async note(state: MoveState, for_s = LEASE_S, within?: Writer): Promise<void> {
    const note = { account_id: this.move.account_id, token: this.#token, state, for_s };
    const changed = await (within === undefined
      ? this.#shards.directory.write((writer) => noteMove.run(writer, note))
      : noteMove.run(within, note));
    if (changed === 0) throw new MoveLostError(this.move.account_id);
  }

  /** Returns what is noted; `undefined` where the move is not ours any more. */
  async noted(): Promise<string | undefined> {
    const { account_id } = this.move;
    // Under the lock: a COMMIT of which nobody knows what became of it may still be on its way, and is stored or not by then.
    const found = await this.#shards.directory.write((writer) => findMove.first(writer, { account_id }));
    return found?.token === this.#token ? found.state : undefined;
  }

  /** Removes the note. */
  async end(): Promise<void> {
    const work = { account_id: this.move.account_id, kind, token: this.#token } as const;
    await this.#shards.directory.write((writer) => endWork.run(writer, work));
  }

  async #check(reader: Reader): Promise<void> {
    const { account_id } = this.move;
    if (!(await holdsStore.first(reader, { account_id, token: this.#token }))) throw new MoveLostError(account_id);
  }
}
