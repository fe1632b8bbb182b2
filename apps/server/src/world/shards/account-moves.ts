/** The moves of accounts that this process makes. */
import { endLeftMoves, type MoveFollower, moveAccount } from './account-move.ts';
import { findAnyMove } from './account-work.ts';
import type { AccountMove } from './move-rights.ts';
import type { DirectoryStores } from './routed-database.ts';

export { MoveTooSlowError } from './account-move.ts';
export { MoveLostError, MoveUnderWayError } from './move-rights.ts';

/** A move that goes on, or has ended. */
export interface RunningMove {
  readonly move: AccountMove;
  /** Rows that were copied so far. */
  rows: number;
  /** It has failed, and is being undone, or ended where the account has changed its place. */
  hasFailed: boolean;
  /** Milliseconds in which the account took no writes. Rejects as {@link moveAccount} does. */
  readonly closed_ms: Promise<number>;
}

/** The process ends. */
export class MoveStoppedError extends Error {
  override readonly name = 'MoveStoppedError';
}

export class AccountMoves {
  readonly #shards: DirectoryStores;
  readonly #elapsed: () => number;
  readonly #running = new Map<string, RunningMove>();
  #stopped: MoveStoppedError | undefined;

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(shards: DirectoryStores, elapsed: () => number) {
    this.#shards = shards;
    this.#elapsed = elapsed;
  }

  /** Begins a move, or gives the one of the account that goes on in this process. */
  begin(move: AccountMove, onStep?: MoveFollower['onStep']): RunningMove {
    const known = this.#running.get(move.account_id);
    if (known !== undefined) return known;
    const running: RunningMove = {
      move,
      rows: 0,
      hasFailed: false,
      closed_ms: moveAccount(this.#shards, move, {
        elapsed: this.#elapsed,
        onStep,
        onRows: (count) => {
          running.rows += count;
        },
        onFailed: () => {
          running.hasFailed = true;
        },
        stopped: () => this.#stopped,
      }),
    };
    this.#running.set(move.account_id, running);
    // Whoever began it may not wait for its end.
    running.closed_ms.catch(() => {}).finally(() => this.#running.delete(move.account_id));
    return running;
  }

  /** Undoes or ends moves that other processes have left. */
  endLeft(): Promise<void> {
    return endLeftMoves(this.#shards, this.#elapsed);
  }

  /** Returns whether an account is being moved, or was a moment ago, by any process. */
  async areUnderWay(): Promise<boolean> {
    return (await findAnyMove.first(this.#shards.directory)) !== undefined;
  }

  /** Gives up what goes on, for somebody else to undo. */
  async stop(): Promise<void> {
    this.#stopped = new MoveStoppedError(
      'The server ends during the move of the account, which another one undoes; try again in a minute',
    );
    await Promise.allSettled([...this.#running.values()].map(({ closed_ms }) => closed_ms));
  }
}
