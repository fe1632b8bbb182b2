/**
 * The default world of a server: it lives in the data directory itself and is always open, but for the moment in which another state of it
 * takes its place. Calls that come in meanwhile wait.
 */
import { copyClosedWorld } from '../copies/copy-world.ts';
import type { WallClock } from '../world/clock.ts';
import {
  clearReplaced,
  decideReplacement,
  listReplacement,
  makeReplacementRoot,
  replacementPlace,
  separatePart,
} from '../world/replacement.ts';
import type { WorldPlace } from '../world/world-place.ts';
import { CallsUnderWayError, NotReplaceableError, WorldBusyError } from './errors.ts';
import type { HostedServices, Replacing } from './host-options.ts';
import { HostedWorld, PATIENCE_MS } from './hosted-world.ts';

interface DefaultWorldOptions<Services> {
  readonly dataDirectory: string;
  readonly services: Services;
  readonly replacing: Replacing<Services> | undefined;
  readonly wallClock: Pick<WallClock, 'elapsed'>;
  /** Is told what went wrong where no caller waits. */
  readonly failed: (error: unknown) => void;
}

export class DefaultWorld<Services extends HostedServices> {
  readonly #id: string;
  readonly #options: DefaultWorldOptions<Services>;
  #hosted: HostedWorld<Services>;
  /** Held while no world is open in it. */
  #place: WorldPlace | undefined;
  /** Ends with the replacement that is under way, and never fails. */
  #replacement: Promise<void> | undefined;
  #opening: Promise<void> | undefined;
  #isReplacing = false;
  #clearing = Promise.resolve();

  constructor(id: string, options: DefaultWorldOptions<Services>) {
    this.#id = id;
    this.#options = options;
    this.#hosted = this.#hostedOf(options.services);
  }

  /** The world that is open; while it is replaced, the one that was. */
  get hosted(): HostedWorld<Services> {
    return this.#hosted;
  }

  /** Keeps the world open until who has entered leaves it. @throws what opening throws, where an earlier attempt has failed */
  async enter(): Promise<HostedWorld<Services>> {
    for (;;) {
      const hosted = this.#hosted;
      if (hosted.enter()) return hosted;
      if (this.#replacement) await this.#replacement;
      else await this.#reopen();
    }
  }

  /** @throws NotReplaceableError */
  checkReplaceable(): void {
    const { replacing, dataDirectory } = this.#options;
    if (!replacing) throw new NotReplaceableError('This process cannot replace its default world.');
    if (replacing.obstacle !== undefined) throw new NotReplaceableError(replacing.obstacle);
    const separate = separatePart(dataDirectory);
    if (separate !== undefined) {
      throw new NotReplaceableError(`${separate} of the data directory is a link or on a file system of its own.`);
    }
  }

  /**
   * Replaces the world by a copy of a closed one. Calls wait from when the copy is whole and can be opened until it is open. After a crash the
   * world is as it was, or as the copy.
   * @param prepare works on the copy
   * @throws NotReplaceableError, WorldBusyError, CallsUnderWayError, errors of copying and opening: the world is then as it was
   */
  async replace(source: string, prepare: (made: string) => Promise<void>): Promise<void> {
    this.checkReplaceable();
    const { dataDirectory, replacing } = this.#options;
    if (!replacing) return;
    if (this.#isReplacing) throw new WorldBusyError(this.#id);
    this.#isReplacing = true;
    try {
      await this.#clearing;
      makeReplacementRoot(dataDirectory);
      const made = replacementPlace(dataDirectory);
      await copyClosedWorld(source, made, {
        prepare: async (directory) => {
          await prepare(directory);
          await replacing.check(directory);
          await listReplacement(directory);
        },
      });
      const swapped = this.#swap(made, replacing);
      this.#replacement = swapped.then(
        () => {},
        () => {},
      );
      await swapped;
    } finally {
      this.#replacement = undefined;
      await this.clear();
      this.#isReplacing = false;
    }
  }

  /** Removes what replacements have left. */
  clear(): Promise<void> {
    const { dataDirectory, failed } = this.#options;
    this.#clearing = clearReplaced(dataDirectory).catch(failed);
    return this.#clearing;
  }

  /** Waits for a replacement, and gives a place free in which no world is open. */
  async close(): Promise<void> {
    await this.#replacement;
    await this.#opening?.catch(() => {});
    this.#place?.nonces.close();
    this.#place?.lock.release();
    this.#place = undefined;
  }

  async #swap(made: string, replacing: Replacing<Services>): Promise<void> {
    const hosted = this.#hosted;
    const { world, journal } = hosted.services;
    const ended = hosted.end(PATIENCE_MS);
    world.faults.endWaits();
    journal?.endWaits();
    if (!(await ended)) {
      world.faults.allowWaits();
      throw new CallsUnderWayError('calls that are under way did not end in time');
    }
    await replacing.pause();
    this.#place = world.place;
    try {
      await world.vacate();
      await decideReplacement(this.#options.dataDirectory, made);
    } finally {
      // The one that was there, if it was not decided.
      await this.#reopen();
    }
  }

  #reopen(): Promise<void> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    const { replacing } = this.#options;
    const place = this.#place;
    if (!replacing || !place) throw new TypeError('there is no place to open the default world in');
    this.#hosted = this.#hostedOf(await replacing.open(place));
    this.#place = undefined;
    replacing.resume();
  }

  #hostedOf(services: Services): HostedWorld<Services> {
    return new HostedWorld(this.#id, services, this.#options.wallClock);
  }
}
