/** The directory of a demo that new worlds are copied from: making one takes a hundred times as long. */
import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory } from '../members/durable-file.ts';
import { packageVersion } from '../package-file.ts';
import { randomText } from '../world/random.ts';
import type { WorldHostOptions } from './host-options.ts';

/** The directory of worlds that new ones are copied from. */
const TEMPLATES = 'templates';

/** The demo, made when it is first wanted, by each version. */
export class DemoTemplate {
  readonly #options: Pick<WorldHostOptions<never>, 'dataDirectory' | 'open' | 'demo' | 'random'>;
  #made: Promise<string> | undefined;

  constructor(options: Pick<WorldHostOptions<never>, 'dataDirectory' | 'open' | 'demo' | 'random'>) {
    this.#options = options;
  }

  /** Returns the directory with the demo. */
  directory(): Promise<string> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  async #make(): Promise<string> {
    const { dataDirectory, open, demo, random } = this.#options;
    const place = path.join(dataDirectory, TEMPLATES, `demo-${packageVersion()}`);
    if (existsSync(place)) return place;
    await rm(path.dirname(place), { recursive: true, force: true });
    const made = path.join(dataDirectory, TEMPLATES, `.making-${randomText(random, 8)}`);
    mkdirSync(made, { recursive: true, mode: 0o700 });
    const world = await open(made, { credentialPrefix: '' });
    try {
      await demo(world);
    } finally {
      await world.close();
    }
    await rename(made, place);
    syncDirectory(path.dirname(place));
    return place;
  }
}
