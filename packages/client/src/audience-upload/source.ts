/** Rows taken from an iterable in batches: nothing is read ahead of the batch that was asked for. */
import { CallError } from '../errors.ts';

/** Rows that are normalized and hashed together. */
const BATCH_ROWS = 512;

interface Cursor {
  next(): IteratorResult<unknown> | PromiseLike<IteratorResult<unknown>>;
  return?(): unknown;
}

/** Reads rows, and stops waiting for them when a signal says so, even if the iterable never gives another. */
export class RowSource {
  readonly #cursor: Cursor;
  readonly #signal: AbortSignal;
  #reject: ((reason: unknown) => void) | undefined;
  #ended = false;

  /** @throws CallError when the rows are not iterable */
  constructor(rows: unknown, signal: AbortSignal) {
    this.#cursor = cursorOf(rows);
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#reject?.(signal.reason), { once: true });
  }

  /** The next rows; none at the end. @throws the reason of the signal, or what the iterable throws */
  next(): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#signal.throwIfAborted();
      this.#reject = reject;
      this.#fill().then(resolve, reject);
    });
  }

  /** Tells the iterable that no more is wanted. Not waited for: it may be waiting for something itself. */
  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    Promise.resolve(this.#cursor.return?.()).catch(() => {});
  }

  async #fill(): Promise<unknown[]> {
    const batch: unknown[] = [];
    while (!this.#ended && batch.length < BATCH_ROWS) {
      const next = this.#cursor.next();
      // An array needs no promise for each of its rows.
      const { done, value } = 'then' in next ? await next : next;
      if (done) this.#ended = true;
      else batch.push(value);
    }
    return batch;
  }
}

function cursorOf(rows: unknown): Cursor {
  if (typeof rows === 'object' && rows !== null) {
    const iterable: Partial<AsyncIterable<unknown> & Iterable<unknown>> = rows;
    const cursor = iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]?.();
    if (cursor) return cursor;
    // Not every browser iterates its streams.
    if (rows instanceof ReadableStream) return readerOf(rows);
  }
  throw new CallError('The rows must be an array, a generator, a stream or anything else that can be iterated', 'rows');
}

function readerOf(rows: ReadableStream<unknown>): Cursor {
  const reader = rows.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    return: () => reader.cancel(),
  };
}
