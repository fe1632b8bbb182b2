/** The state of the stores of a world, for a report that cannot wait: a store that does not respond in time is one that does not respond. */
import type { Database } from '../db/database.ts';
import { isMigrated } from './store-schemas.ts';
import { type StoreName, storeNames } from './world-options.ts';

/** Milliseconds that a store has: whoever asks for the report gives up soon after. */
const PATIENCE_MS = 800;

export class StoreHealth {
  readonly #databases: Readonly<Record<StoreName, Database>>;
  readonly #responds: Readonly<Record<StoreName, Asked>>;
  readonly #probed: Readonly<Record<StoreName, Asked>>;

  constructor(databases: Readonly<Record<StoreName, Database>>) {
    this.#databases = databases;
    const ofEach = (ask: (name: StoreName) => Promise<boolean>) => ({
      platform: new Asked(() => ask('platform')),
      production: new Asked(() => ask('production')),
      sandbox: new Asked(() => ask('sandbox')),
    });
    this.#responds = ofEach((name) => isMigrated(databases[name], name));
    this.#probed = ofEach((name) => databases[name].probe().then(() => true));
  }

  /** Returns the names of the stores that do not respond or lack migrations. */
  async unready(): Promise<StoreName[]> {
    const checks = await Promise.all(storeNames.map((name) => this.#responds[name].answer()));
    return storeNames.filter((_, i) => !checks[i]);
  }

  /** Why stores cannot be written, as sentences. A store that could not be is tried again. */
  async problems(): Promise<string[]> {
    await Promise.all(storeNames.map((name) => this.#probed[name].answer()));
    return storeNames.flatMap((name) => {
      const { problem } = this.#databases[name];
      return problem === undefined ? [] : [`The store ${name} cannot be written: ${problem}.`];
    });
  }
}

/** Something that is asked once at a time, however many want to know, and that is false where it is not known in time. */
class Asked {
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
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), PATIENCE_MS);
    try {
      return await Promise.race([this.#asking, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
