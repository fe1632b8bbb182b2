/** Questions to stores whose answer cannot be waited for. */
import { inTime } from '../in-time.ts';

/** Milliseconds that a store has: whoever asks for a report gives up soon after. */
const PATIENCE_MS = 800;

/** Something that is asked once at a time, however many want to know, and that is false where it is not known in time. */
export class Asked {
  readonly #ask: () => Promise<boolean>;
  #asking: Promise<boolean> | undefined;

  constructor(ask: () => Promise<boolean>) {
    this.#ask = ask;
  }

  async answer(): Promise<boolean> {
    this.#asking ??= this.#ask()
      .catch(() => false)
      .finally(() => {
        this.#asking = undefined;
      });
    return inTime(this.#asking, PATIENCE_MS, () => false);
  }
}
