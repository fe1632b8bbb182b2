/** The worlds of a server that are open, and those that are on the way there or back. */
import type { WallClock } from '../world/clock.ts';
import { WorldBusyError } from './errors.ts';
import type { HostedServices } from './host-options.ts';
import { HostedWorld } from './hosted-world.ts';

/** A world that has not been used for so long is closed. */
const IDLE_MS = 600_000;

/** Worlds above this number are closed as soon as they are idle, the one unused for longest first. */
const MAX_OPEN = 256;

/** What is needed to open worlds. */
export interface OpenWorldsOptions<Services> {
  /** Opens a world and begins its jobs; `undefined` if there is none of this id. */
  readonly open: (id: string) => Promise<Services | undefined>;
  readonly wallClock: WallClock;
  /** Is told what went wrong where no caller waits. */
  readonly failed: (error: unknown, world_id: string) => void;
}

/** Opens worlds for requests, and closes them when nothing is inside any more. */
export class OpenWorlds<Services extends HostedServices> {
  readonly #options: OpenWorldsOptions<Services>;
  readonly #open = new Map<string, HostedWorld<Services>>();
  readonly #opening = new Map<string, Promise<HostedWorld<Services> | undefined>>();
  /** Worlds that are being replaced or deleted. */
  readonly #replacing = new Set<string>();
  readonly #closing = new Map<string, Promise<void>>();

  constructor(options: OpenWorldsOptions<Services>) {
    this.#options = options;
  }

  /** Returns whether a world is open. */
  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Returns whether a world is being replaced or deleted. */
  isReplacing(id: string): boolean {
    return this.#replacing.has(id);
  }

  /** Opens a world and keeps it open until who has entered leaves it; `undefined` if there is none of this id. */
  async enter(id: string): Promise<HostedWorld<Services> | undefined> {
    for (;;) {
      const hosted = this.#open.get(id) ?? (await this.#opened(id));
      // It may have begun to close in between; then it is opened anew.
      if (!hosted || hosted.enter()) return hosted;
    }
  }

  /**
   * Closes a world and runs a work on its files. Requests that look for it meanwhile wait.
   * @throws WorldBusyError
   */
  async alone(id: string, work: () => Promise<void>): Promise<void> {
    if (this.#replacing.has(id)) throw new WorldBusyError(id);
    this.#replacing.add(id);
    const done = this.#shut(id).then(work);
    const closing = done.then(
      () => {},
      () => {},
    );
    this.#closing.set(id, closing);
    try {
      await done;
    } finally {
      if (this.#closing.get(id) === closing) this.#closing.delete(id);
      this.#replacing.delete(id);
    }
  }

  /** Closes worlds that have not been used for a while. */
  closeIdle(): void {
    const byUse = [...this.#open.values()].filter(({ idle }) => idle > 0).sort((one, other) => other.idle - one.idle);
    const surplus = this.#open.size - MAX_OPEN;
    for (const [place, { id, idle }] of byUse.entries()) {
      if (idle >= IDLE_MS || place < surplus) {
        this.#shut(id).catch((error: unknown) => this.#options.failed(error, id));
      }
    }
  }

  /** Closes all worlds. */
  async close(): Promise<void> {
    await Promise.all([...this.#opening.values()].map((opening) => opening.catch(() => undefined)));
    await Promise.all([...this.#open.keys()].map((id) => this.#shut(id)));
  }

  #opened(id: string): Promise<HostedWorld<Services> | undefined> {
    const known = this.#opening.get(id);
    if (known) return known;
    const opening = this.#openAgain(id).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  async #openAgain(id: string): Promise<HostedWorld<Services> | undefined> {
    while (this.#closing.has(id)) await this.#closing.get(id);
    const services = await this.#options.open(id);
    if (!services) return undefined;
    const hosted = new HostedWorld(id, services, () => this.#options.wallClock.elapsed());
    this.#open.set(id, hosted);
    return hosted;
  }

  /** Closes a world when nothing is inside any more. */
  async #shut(id: string): Promise<void> {
    // As they are now: what is begun after this waits for it.
    const [opening, before] = [this.#opening.get(id), this.#closing.get(id)];
    await opening?.catch(() => undefined);
    const hosted = this.#open.get(id);
    if (!hosted) return before;
    this.#open.delete(id);
    hosted.services.world.faults.endWaits();
    hosted.services.journal?.endWaits();
    const closing: Promise<void> = hosted
      .end()
      .then(() => hosted.services.world.close())
      .finally(() => {
        if (this.#closing.get(id) === closing) this.#closing.delete(id);
      });
    this.#closing.set(id, closing);
    await closing;
  }
}
