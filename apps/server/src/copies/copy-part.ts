import type { Awaitable } from '../awaitable.ts';

/** One of the things that an open world consists of, as it is copied at an instant that all of them have in common. */
export interface CopyPart {
  /** Copies what never changes, and begins to note what does. */
  before(): Promise<void>;
  /** Notes the state at the instant: at once, but for what is on servers. Everybody who writes waits for it. */
  look(): Awaitable<void>;
  /** Copies the state of the instant. On disk when it resolves, but for the files in the directory of the copy itself. */
  after(): Promise<void>;
  /** Gives up what was held. Called in any case, last. */
  end(): void;
}
