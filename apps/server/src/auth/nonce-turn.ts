/**
 * Uses of nonces that are written to the log together, those of one turn of the event loop, and what waits for that. Callbacks
 * instead of a promise: each signed read waits here, and for nothing else.
 */
import { atTurnEnd, runApart } from '../turn-end.ts';
import type { NonceRecord } from './nonce-file.ts';

/** Why nonces could not be logged: none of them is used up, and none of their requests may be served. */
export interface NotLogged {
  readonly error: unknown;
}

/** @param failure set when the nonces could not be logged */
type Waiting = (failure: NotLogged | undefined) => void;

/** See the top of this file. */
export class NonceTurn {
  readonly records: NonceRecord[] = [];
  readonly #log: (records: readonly NonceRecord[]) => void;
  readonly #waiting: Waiting[] = [];
  #isWritten = false;
  #isOver = false;
  #failure: NotLogged | undefined;
  #logged: Promise<true> | undefined;

  /** @param log writes the records, and throws when it cannot */
  constructor(log: (records: readonly NonceRecord[]) => void) {
    this.#log = log;
    atTurnEnd(() => {
      this.write();
      this.#isOver = true;
      for (const done of this.#waiting) runApart(() => done(this.#failure));
    });
  }

  /** Writes the records if that has not been done yet. Nothing can be added afterwards. @returns why they could not be written */
  write(): NotLogged | undefined {
    if (this.#isWritten) return this.#failure;
    this.#isWritten = true;
    try {
      this.#log(this.records);
    } catch (error) {
      this.#failure = { error };
    }
    return this.#failure;
  }

  /** Calls back when the nonces are logged or cannot be; at once if that is known. */
  whenLogged(done: Waiting): void {
    if (this.#isOver) done(this.#failure);
    else this.#waiting.push(done);
  }

  /** The same as a promise, which rejects with the error. */
  get logged(): Promise<true> {
    this.#logged ??= new Promise((resolve, reject) => {
      this.whenLogged((failure) => (failure ? reject(failure.error) : resolve(true)));
    });
    return this.#logged;
  }
}

/** Returns whether a nonce was new, once that is logged. @throws the error for which it could not be, at once or later */
export function whenLogged(use: boolean | NonceTurn): boolean | Promise<boolean> {
  return use instanceof NonceTurn ? use.logged : use;
}
