/** The worlds of a server that are open, and those that are on the way there or back. */
import { Pace } from '../pace.ts';
import type { WallClock } from '../world/clock.ts';
import { CallsUnderWayError, WorldBusyError } from './errors.ts';
import { HostedWorld, PATIENCE_MS } from './hosted-world.ts';

/** A world that has not been used for so long is closed. */
const IDLE_MS = 600_000;

/** A store of a world that has not been used for so long gives back memory. */
const REST_MS = 15_000;

/** Worlds above this number are closed as soon as they are idle, the one unused for longest first. */
const MAX_OPEN = 256;

/** What has to be known of the services of a world to close it. */
interface Closable {
  readonly world: {
    readonly faults: { endWaits(): void; allowWaits(): void };
    readonly stores: { rest(): void };
    close(): Promise<void>;
  };
  readonly journal?: { endWaits(): void; end(): void } | undefined;
}

/** What is needed to open worlds. */
export interface OpenWorldsOptions<Services> {
  /** Opens a world and begins its jobs; `undefined` if there is none of this id. */
  readonly open: (id: string) => Promise<Services | undefined>;
  readonly wallClock: Pick<WallClock, 'elapsed'>;
  /** The longest time for which calls under way are waited for; that of all worlds by default. */
  readonly patience_ms?: number | undefined;
  /** Is told what went wrong where no caller waits. */
  readonly failed: (error: unknown, world_id: string) => void;
}

/** Opens worlds for requests, and closes them when nothing is inside any more. */
export class OpenWorlds<Services extends Closable> {
  readonly #options: OpenWorldsOptions<Services>;
  readonly #open = new Map<string, HostedWorld<Services>>();
  readonly #opening = new Map<string, Promise<HostedWorld<Services> | undefined>>();
  /** Worlds that are being replaced or deleted. */
  readonly #replacing = new Set<string>();
  /** The end of the last step of a world: it is opened, closed and replaced one after the other, in the order in which that was asked for. */
  readonly #steps = new Map<string, Promise<void>>();
  #closed = false;
  #isEnding = false;
  #rested_ms = 0;

  constructor(options: OpenWorldsOptions<Services>) {
    this.#options = options;
  }

  /** Returns the services of a world that is open. */
  get(id: string): Services | undefined {
    return this.#open.get(id)?.services;
  }

  /** Returns a world that is open, and may be about to close. */
  hosted(id: string): HostedWorld<Services> | undefined {
    return this.#open.get(id);
  }

  /** The number of worlds that are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Returns whether a world is open. */
  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Returns whether a world is being replaced or deleted. */
  isReplacing(id: string): boolean {
    return this.#replacing.has(id);
  }

  /**
   * Opens a world and keeps it open until who has entered leaves it.
   * @returns `undefined` if there is none of this id, or {@link close} was called
   */
  async enter(id: string): Promise<HostedWorld<Services> | undefined> {
    for (;;) {
      const hosted = this.#open.get(id) ?? (await this.#opened(id));
      // It may have begun to close in between; then it is opened anew.
      if (!hosted || hosted.enter()) return hosted;
    }
  }

  /**
   * Closes a world and runs a work on its files. Requests that look for it meanwhile wait.
   * @throws WorldBusyError; CallsUnderWayError when those inside do not end in time, and nothing was done
   */
  async alone(id: string, work: () => Promise<void>): Promise<void> {
    if (this.#replacing.has(id)) throw new WorldBusyError(id);
    this.#replacing.add(id);
    try {
      await this.#step(id, async () => {
        if (!(await this.#shut(id, this.#patience))) {
          throw new CallsUnderWayError('calls that are under way did not end in time');
        }
        await work();
      });
    } finally {
      this.#replacing.delete(id);
    }
  }

  /** Closes worlds that have not been used for a while, and has the stores of the others rest that have not. To be called every few seconds. */
  closeIdle(): void {
    for (const { id, idle } of this.#open.values()) if (idle >= IDLE_MS) this.#close(id);
    this.#closeLongestIdle(this.#open.size - MAX_OPEN);
    void this.#rest();
  }

  get #patience(): number {
    return this.#options.patience_ms ?? PATIENCE_MS;
  }

  /** With other work in between: giving back the memory of one store takes a third of a millisecond, and there can be hundreds. */
  async #rest(): Promise<void> {
    const now = this.#options.wallClock.elapsed();
    if (now - this.#rested_ms < REST_MS) return;
    this.#rested_ms = now;
    const pace = new Pace();
    for (const hosted of [...this.#open.values()]) {
      const { id, services } = hosted;
      if (this.#open.get(id) !== hosted) continue;
      try {
        services.world.stores.rest();
      } catch (error) {
        this.#options.failed(error, id);
      }
      await pace.step();
    }
  }

  #closeLongestIdle(count: number): void {
    if (count <= 0) return;
    const byUse = [...this.#open.values()].filter(({ idle }) => idle > 0).sort((one, other) => other.idle - one.idle);
    for (const { id } of byUse.slice(0, count)) this.#close(id);
  }

  #close(id: string): void {
    this.#step(id, () => this.#shut(id, this.#patience)).catch((error: unknown) => this.#options.failed(error, id));
  }

  /** Lets those who wait in a world go on at once, as the server is about to end. */
  endWaits(): void {
    this.#isEnding = true;
    for (const { services } of this.#open.values()) {
      services.world.faults.endWaits();
      services.journal?.end();
    }
  }

  /** Closes all worlds, and opens none any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#steps.values());
    await Promise.all([...this.#open.keys()].map((id) => this.#step(id, () => this.#shut(id))));
  }

  #opened(id: string): Promise<HostedWorld<Services> | undefined> {
    const known = this.#opening.get(id);
    if (known) return known;
    const opening = this.#step(id, async () => {
      // It may have stayed open after all.
      const stayed = this.#open.get(id);
      if (stayed) return stayed;
      const services = this.#closed ? undefined : await this.#options.open(id);
      if (!services) return undefined;
      const hosted = new HostedWorld(id, services, this.#options.wallClock);
      // At once, so that no burst of requests to ever other worlds opens more.
      this.#closeLongestIdle(this.#open.size + 1 - MAX_OPEN);
      this.#open.set(id, hosted);
      if (this.#isEnding) services.journal?.end();
      return hosted;
    }).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  /**
   * Closes a world when nothing is inside any more. To be called in a step.
   * @param patience_ms the longest time to wait, where it is not waited for ever
   * @returns false when something stayed inside for longer: the world stays open
   */
  async #shut(id: string, patience_ms?: number): Promise<boolean> {
    const hosted = this.#open.get(id);
    if (!hosted) return true;
    const { world, journal } = hosted.services;
    this.#open.delete(id);
    world.faults.endWaits();
    journal?.endWaits();
    if (await hosted.end(patience_ms)) {
      await world.close();
      return true;
    }
    if (!this.#isEnding) world.faults.allowWaits();
    this.#open.set(id, hosted);
    return false;
  }

  /** Takes a step with a world when those before it have ended, whatever came of them. */
  #step<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#steps.get(id);
    const step = before ? before.then(work) : work();
    const ended = step.then(
      () => {},
      () => {},
    );
    this.#steps.set(id, ended);
    void ended.then(() => {
      if (this.#steps.get(id) === ended) this.#steps.delete(id);
    });
    return step;
  }
}
