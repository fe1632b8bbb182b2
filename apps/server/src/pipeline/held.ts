/**
 * A value that nobody may learn before a nonce is logged. A read has no effects, so it can be done at once, while its request could
 * still turn out to be one that may not be served; only its answer waits.
 */
import type { NonceTurn, NotLogged } from '../auth/nonce-turn.ts';
import { type Awaitable, chain } from '../awaitable.ts';

/** A value that exists when a nonce is logged. Callbacks instead of a promise, which each signed read would take several of. */
export class Held<T> {
  readonly #turn: NonceTurn;
  readonly #value: (failure: NotLogged | undefined) => T;

  /** @param value gives the value when the nonce is logged or, with the reason, cannot be */
  constructor(turn: NonceTurn, value: (failure: NotLogged | undefined) => T) {
    this.#turn = turn;
    this.#value = value;
  }

  /** The results that are made of the value. */
  map<R>(next: (value: T) => R): Held<R> {
    const value = this.#value;
    return new Held(this.#turn, (failure) => next(value(failure)));
  }

  /** Calls back with the value, or with the error that making it throws. */
  open(done: (value: T) => void, failed: (error: unknown) => void): void {
    this.#turn.whenLogged((failure) => {
      let value: T;
      try {
        value = this.#value(failure);
      } catch (error) {
        return failed(error);
      }
      done(value);
    });
  }
}

/** Continues with a value that may be held, or may have to be waited for. */
export function follow<T, R>(value: Awaitable<T> | Held<T>, next: (value: T) => R): Awaitable<R> | Held<R> {
  return value instanceof Held ? value.map(next) : chain(value, next);
}

/** A value that may be held, as one that can be awaited. */
export function released<T>(value: Awaitable<T> | Held<T>): Awaitable<T> {
  if (!(value instanceof Held)) return value;
  return new Promise((resolve, reject) => value.open(resolve, reject));
}
