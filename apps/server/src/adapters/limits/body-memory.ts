/** Room for bodies in memory: a body is read when there is room for all of it, in the whole and for its address. */
import type { HttpLimits } from './http-limits.ts';

/** Bodies up to this size are read at once: with the maximum number of connections they are bounded by that. */
export const SMALL_BODY_BYTES = 16_384;

type Limits = Pick<HttpLimits, 'body_bytes' | 'body_bytes_per_address' | 'room_ms'>;

interface Waiting {
  readonly address: string;
  readonly bytes: number;
  readonly admit: () => void;
}

/** Gives the room back. Calling it again does nothing. */
export type Release = () => void;

/** Counts the bytes of bodies by address. */
export class BodyMemory {
  readonly #limits: Limits;
  readonly #byAddress = new Map<string, number>();
  readonly #queue: Waiting[] = [];
  #held = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Bytes that bodies have at present. */
  get held(): number {
    return this.#held;
  }

  /**
   * Takes room for a body, waiting for it a while.
   * @returns `undefined` when there was none in time
   */
  async take(address: string, bytes: number): Promise<Release | undefined> {
    if (bytes <= SMALL_BODY_BYTES) return () => {};
    if (this.#fits(address, bytes)) this.#count(address, bytes);
    else if (!(await this.#admitted(address, bytes))) return undefined;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count(address, -bytes);
      this.#admit();
    };
  }

  #admitted(address: string, bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isAdmitted: boolean) => {
        clearTimeout(timer);
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        resolve(isAdmitted);
      };
      const timer = setTimeout(() => end(false), this.#limits.room_ms);
      const waiting: Waiting = { address, bytes, admit: () => end(true) };
      this.#queue.push(waiting);
    });
  }

  /** Admits those who wait and fit, in their order; those of an address without room do not hold up others. */
  #admit(): void {
    for (const { address, bytes, admit } of [...this.#queue]) {
      if (!this.#fits(address, bytes)) continue;
      this.#count(address, bytes);
      admit();
    }
  }

  #fits(address: string, bytes: number): boolean {
    const { body_bytes, body_bytes_per_address } = this.#limits;
    const own = this.#byAddress.get(address) ?? 0;
    return this.#held + bytes <= body_bytes && own + bytes <= body_bytes_per_address;
  }

  #count(address: string, bytes: number): void {
    this.#held += bytes;
    const own = (this.#byAddress.get(address) ?? 0) + bytes;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}
