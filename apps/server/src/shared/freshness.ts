/** Knows of which generation the things are that this server remembers of stores, and has them dropped when there is a newer one. */
import { type Subject, subjects } from './shared-state.ts';

/** Nothing is remembered for longer, in case that a server died in a way that nobody can be told of. */
const MAX_AGE_MS = 60_000;

/** What one trip says. */
export interface Generations {
  /** The id of the memory that they are counted in. */
  readonly epoch: string;
  readonly counts: Readonly<Record<Subject, string>>;
  /** The subjects of which something is about to be committed. */
  readonly inFlux: ReadonlySet<string>;
}

/** Drops what is remembered of a subject. */
export type Drop = (subject: Subject) => void;

/** See the top of this file. */
export class Freshness {
  readonly #drop: Drop;
  readonly #elapsed: () => number;
  readonly #known = new Map<Subject, string>();
  #droppedAt: number;

  /** @param elapsed milliseconds that never go back */
  constructor(drop: Drop, elapsed: () => number) {
    this.#drop = drop;
    this.#elapsed = elapsed;
    this.#droppedAt = elapsed();
  }

  /** The generation of what is remembered of a subject; `undefined` where it is in flux or not known. */
  of(subject: Subject): string | undefined {
    return this.#known.get(subject);
  }

  /**
   * Notes the generations that a trip has read. What is in flux is never of a known generation: it is dropped with each trip, so
   * that nothing is used that was read before this one.
   */
  note({ epoch, counts, inFlux }: Generations): void {
    const isOld = this.#elapsed() - this.#droppedAt > MAX_AGE_MS;
    if (isOld) this.#droppedAt = this.#elapsed();
    for (const subject of subjects) {
      const label = `${epoch} ${counts[subject]}`;
      const isKnown = !isOld && !inFlux.has(subject) && this.#known.get(subject) === label;
      if (isKnown) continue;
      this.#drop(subject);
      if (inFlux.has(subject)) this.#known.delete(subject);
      else this.#known.set(subject, label);
    }
  }
}
