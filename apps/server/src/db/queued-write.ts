/** Writes that wait in a queue. */
import { type Awaitable, chain } from '../awaitable.ts';
import type { Reader, Writer } from './access.ts';
import type { Draft, Failure, Played } from './session.ts';
import type { Watch } from './store-watch.ts';

/** A write that waits for its turn. */
export interface Job {
  /** Runs the body and keeps its result; at once where the body waits for nothing. */
  run(writer: Writer): Awaitable<undefined>;
  /** Returns the retained result to the caller. Only after COMMIT. */
  resolve(): void;
  reject(error: unknown): void;
  readonly repeatable: boolean;
  /** What it would do, where drafts are made. */
  readonly draft: Promise<Draft | undefined> | undefined;
  /** The draft is made. */
  readonly isDrafted: boolean;
  /** Makes the draft again, by what a draft that guessed wrong has given. */
  redraft(before: Played): Promise<Draft | undefined> | undefined;
}

/** Makes a draft. @param before one that guessed wrong */
export type MakeDraft = (before?: Played) => Promise<Draft | undefined>;

/** A body that has run. */
export interface Outcome {
  readonly job: Job;
  readonly thrown: Failure | undefined;
}

/** Properties of a body. */
export interface WriteOptions {
  /**
   * The body leaves nothing behind but its changes, so it can run again after they have been undone. Such bodies need no
   * savepoints in the transaction that they share: if one fails after it has written, all of them run again.
   */
  readonly repeatable?: boolean;
  /** What a draft of it reads in place of the database, where some of that has been begun. */
  readonly begun?: Reader | undefined;
  /** Written whatever the guard of the database says. */
  readonly unguarded?: boolean;
}

export class QueuedWrite<T> implements Job {
  readonly #body: (tx: Writer) => Awaitable<T>;
  readonly #resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
  readonly repeatable: boolean;
  draft: Promise<Draft | undefined> | undefined;
  isDrafted = false;
  #makeDraft: MakeDraft | undefined;
  readonly #watch: Watch | undefined;
  #result: { readonly value: T } | undefined;

  constructor(
    body: (tx: Writer) => Awaitable<T>,
    repeatable: boolean,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
    watch: Watch | undefined,
  ) {
    this.#body = body;
    this.repeatable = repeatable;
    this.#resolve = resolve;
    this.#watch = watch;
    this.reject = watch === undefined ? reject : watched(watch, reject);
  }

  /** Begins to make a draft. */
  drafts(make: MakeDraft): void {
    this.#makeDraft = make;
    const draft = make();
    this.draft = draft;
    const made = (): void => {
      this.isDrafted = true;
    };
    draft.then(made, made);
  }

  redraft(before: Played): Promise<Draft | undefined> | undefined {
    return this.#makeDraft?.(before);
  }

  run(writer: Writer): Awaitable<undefined> {
    const body = () => this.#body(writer);
    return chain(this.#watch === undefined ? body() : this.#watch.run(body), (value) => {
      this.#result = { value };
      return undefined;
    });
  }

  resolve(): void {
    if (this.#result === undefined) this.reject(new Error('a write was committed before its body had ended'));
    else {
      this.#watch?.ended();
      this.#resolve(this.#result.value);
    }
  }
}

function watched(watch: Watch, reject: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    watch.ended({ error });
    reject(error);
  };
}
