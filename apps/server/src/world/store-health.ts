/** The state of the stores of a world, for a report that cannot wait: a store that does not respond in time is one that does not respond. */
import type { Database } from '../db/database.ts';
import { Asked } from './asked.ts';
import { isMigrated } from './store-schemas.ts';
import { type StoreName, storeNames } from './world-options.ts';

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
