/** Watching the work of a store, for metrics and traces. A store that nobody watches does nothing for it. */
import type { Awaitable } from '../awaitable.ts';

/** Watches one piece of work. */
export interface Watch {
  /** Runs it, or a part of it. */
  run<T>(work: () => Awaitable<T>): Awaitable<T>;
  /** It has ended. @param failure the error, where it has failed */
  ended(failure?: { readonly error: unknown }): void;
}

/** Watches the work of one store. */
export interface StoreWatch {
  /** Runs a read. */
  read<T>(work: () => Awaitable<T>): Awaitable<T>;
  /** A write is asked for. Its body runs when its turn has come, and it ends when its changes are on disk. */
  write(): Watch;
  /** A transaction is being committed. @returns to be called when it is on disk */
  commit(writes: number): () => void;
}
