/** A world that is open on a server, and the requests that are in it. */
import type { WallClock } from '../world/clock.ts';

/** The longest time that calls which are under way are waited for, while others wait: our choice. */
export const PATIENCE_MS = 10_000;

/** Services of an open world, with what keeps it open. */
export class HostedWorld<Services> {
  readonly id: string;
  readonly services: Services;
  #inside = 0;
  #ending = false;
  #lastUsed: number;
  readonly #clock: Pick<WallClock, 'elapsed'>;
  #whenEmpty: (() => void) | undefined;

  constructor(id: string, services: Services, clock: Pick<WallClock, 'elapsed'>) {
    this.id = id;
    this.services = services;
    this.#clock = clock;
    this.#lastUsed = clock.elapsed();
  }

  /** Milliseconds since the last request ended; zero while one is inside. */
  get idle(): number {
    return this.#inside > 0 ? 0 : this.#clock.elapsed() - this.#lastUsed;
  }

  /** Keeps the world open until {@link leave}. @returns false when it is being closed already */
  enter(): boolean {
    if (this.#ending) return false;
    this.#inside++;
    return true;
  }

  /** Ends what {@link enter} began. */
  leave(): void {
    this.#inside--;
    this.#lastUsed = this.#clock.elapsed();
    if (this.#inside === 0) this.#whenEmpty?.();
  }

  /**
   * Lets nothing enter any more, and waits until nothing is inside.
   * @param patience_ms the longest time to wait, where it is not waited for ever
   * @returns false when something stayed inside for longer; everything may enter again then
   */
  async end(patience_ms?: number): Promise<boolean> {
    this.#ending = true;
    if (this.#inside === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const isEmpty = await new Promise<boolean>((resolve) => {
      this.#whenEmpty = () => resolve(true);
      if (patience_ms !== undefined) timer = setTimeout(() => resolve(false), patience_ms);
    });
    clearTimeout(timer);
    this.#whenEmpty = undefined;
    this.#ending = isEmpty;
    return isEmpty;
  }
}
