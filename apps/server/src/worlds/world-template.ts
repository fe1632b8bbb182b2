/** Worlds that new ones are copied from: making one takes a hundred times as long. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncNames } from '../copies/copy-file.ts';
import { dataNames } from '../data-names.ts';
import { packageVersion } from '../package-file.ts';
import { randomText } from '../world/random.ts';
import type { WorldHostOptions } from './host-options.ts';

type Options = Pick<WorldHostOptions<never>, 'dataDirectory' | 'open' | 'demo' | 'random'>;

/** A world of one kind, made when it is first wanted, by each version. */
export class WorldTemplate {
  readonly #kind: 'demo' | 'empty';
  readonly #options: Options;
  #made: Promise<string> | undefined;

  constructor(kind: 'demo' | 'empty', options: Options) {
    this.#kind = kind;
    this.#options = options;
  }

  /** Returns the directory with the world, which nobody has open. */
  directory(): Promise<string> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  async #make(): Promise<string> {
    const { dataDirectory, open, demo, random } = this.#options;
    const folder = path.join(dataDirectory, dataNames.templates);
    const name = `${this.#kind}-${packageVersion()}`;
    const place = path.join(folder, name);
    if (existsSync(place)) return place;
    const making = `.making-${this.#kind}-`;
    const made = path.join(folder, `${making}${randomText(random, 8)}`);
    mkdirSync(made, { recursive: true, mode: 0o700 });
    // Of earlier versions, and what a process that ended had begun.
    const isOld = (each: string) => each.startsWith(`${this.#kind}-`) || each.startsWith(making);
    for (const each of readdirSync(folder).filter(isOld)) {
      if (path.join(folder, each) !== made) await rm(path.join(folder, each), { recursive: true, force: true });
    }
    const world = await open(made, { credentialPrefix: '' });
    try {
      if (this.#kind === 'demo') await demo(world);
    } finally {
      await world.close();
    }
    await rename(made, place);
    await syncNames(folder);
    return place;
  }
}
