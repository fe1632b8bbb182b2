/**
 * Work that waits only where it has to. What is in memory or in an embedded store is answered at once, and a promise costs more
 * than the work itself; a remote store answers later. Both are written the same way, with {@link chain} in place of `await`.
 */

/** A value, or the promise of one. A function that returns this throws at once where it does not wait, and rejects otherwise. */
export type Awaitable<T> = T | Promise<T>;

/** Continues with a value: at once where it is there, otherwise when it arrives. An error passes by, as with `await`. */
export function chain<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Begins a work and turns its error, thrown or rejected, into a result: `try` and `catch` around an {@link Awaitable}. */
export function attempt<T>(work: () => Awaitable<T>, failed: (error: unknown) => Awaitable<T>): Awaitable<T> {
  let value: Awaitable<T>;
  try {
    value = work();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.catch(failed) : value;
}

/** The values of several works, in their order; `Promise.all` only where one of them waits. */
export function together<const T extends readonly unknown[]>(values: T): Awaitable<Together<T>>;
export function together(values: readonly unknown[]): Awaitable<readonly unknown[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : values;
}

type Together<T extends readonly unknown[]> = { readonly [Place in keyof T]: Awaited<T[Place]> };

/** A promise of the value, for callers that need one. Turns an error that is thrown at once into a rejection. */
export async function promiseOf<T>(work: () => Awaitable<T>): Promise<T> {
  return work();
}
