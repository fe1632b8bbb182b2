/** The index of everybody for keyword insights, where this process shares people with others. See ADR 0033. */
import type { AudienceStore, Built } from './audience-store.ts';
import { ALL_RANGES, covers } from './ranges.ts';

export class WholeIndex {
  readonly #shared: AudienceStore;
  readonly #make: () => AudienceStore;
  #whole: AudienceStore | undefined;

  /** @param make makes an index of everybody, to be closed by this */
  constructor(shared: AudienceStore, make: () => AudienceStore) {
    this.#shared = shared;
    this.#make = make;
  }

  /** The shared index while it has everybody, and one beside it otherwise. */
  async prepare(): Promise<Built> {
    if (this.#shared.hasAll) {
      const built = await this.#shared.prepare();
      if (covers(built.index.ranges, ALL_RANGES)) {
        const whole = this.#whole;
        this.#whole = undefined;
        await whole?.close();
        return built;
      }
    }
    this.#whole ??= this.#make();
    return this.#whole.prepare();
  }

  async close(): Promise<void> {
    await this.#whole?.close();
  }
}
