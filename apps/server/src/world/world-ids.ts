/** All that hands out ids in a world, and where it has got to. */
import type { CopyPart } from '../copies/copy-part.ts';
import type { Database } from '../db/database.ts';
import type { Clock } from './clock.ts';
import { type Environment, environments } from './environment.ts';
import type { IdPosition, SequencePosition } from './id-position.ts';
import { IdState, writeIdPosition } from './id-state.ts';
import { IdReserve, Snowflakes, sequenceOf, type WorkerNumber } from './ids.ts';
import { type Random, systemRandom } from './random.ts';

/** Options of {@link WorldIds}. */
export interface WorldIdsOptions {
  /** The directory in which the position is kept; `undefined` for a world that hands out nothing. */
  readonly dataDirectory: string | undefined;
  readonly clock: Clock;
  readonly seed?: string | undefined;
  /** The source of everything, in place of the seed. */
  readonly random?: Random | undefined;
  readonly databases: Readonly<Record<Environment, Database>>;
  /** Returns whether a store has no other writer. */
  readonly isOwn: (environment: Environment) => boolean;
  /** Where other processes hand out ids of the platform too. */
  readonly worker?: WorkerNumber | undefined;
}

export class WorldIds {
  readonly snowflakes: Snowflakes;
  readonly #options: WorldIdsOptions;
  readonly #state: IdState | undefined;
  readonly #reserves = new Map<Environment, IdReserve>();

  constructor(options: WorldIdsOptions) {
    this.#options = options;
    const { dataDirectory, clock, random, databases, isOwn, worker } = options;
    const seed = random === undefined ? options.seed : undefined;
    const state = dataDirectory === undefined ? undefined : new IdState(dataDirectory, clock, seed);
    this.#state = state;
    const onUse = () => state?.use();
    this.snowflakes = new Snowflakes(clock, this.stream('ids'), state?.last, onUse, worker);
    for (const name of environments) {
      if (isOwn(name)) this.#reserves.set(name, new IdReserve(databases[name], state?.sequence(name), onUse));
    }
  }

  /** The source of bytes for a purpose. Where the world has a seed, what one purpose takes changes nothing for the others. */
  stream(purpose: string): Random {
    const otherwise = this.#options.random ?? systemRandom;
    return this.#state?.stream(purpose, otherwise) ?? otherwise;
  }

  /** The numbers of entities of a store; `undefined` where others write it too. */
  reserve(environment: Environment): IdReserve | undefined {
    return this.#reserves.get(environment);
  }

  /** Has a copy go on where this world is at the instant. @param target the directory of the copy */
  beginCopy(target: string): CopyPart {
    let position: IdPosition | undefined;
    return {
      before: async () => {},
      look: () => {
        position = this.#state?.position(this.snowflakes.last, this.#sequences());
      },
      after: async () => {
        if (position !== undefined) await writeIdPosition(target, position);
      },
      end: () => {},
    };
  }

  /**
   * Ends the world in an orderly way.
   * @param close closes the store of an environment, and calls back when nothing is written there any more, while it can be read
   */
  async close(close: (environment: Environment, last: () => void) => Promise<void>): Promise<void> {
    const sequences: { [Name in Environment]?: SequencePosition } = {};
    for (const name of environments) {
      await close(name, () => {
        const found = this.#sequence(name);
        if (found !== undefined) sequences[name] = found;
      });
    }
    this.#state?.close(this.#state.position(this.snowflakes.last, sequences));
  }

  #sequences(): IdPosition['sequences'] {
    const found = environments.flatMap((name) => {
      const position = this.#sequence(name);
      return position === undefined ? [] : [[name, position] as const];
    });
    return Object.fromEntries(found);
  }

  #sequence(name: Environment): SequencePosition | undefined {
    const next = this.#reserves.get(name)?.next;
    if (next === undefined) return this.#state?.sequence(name);
    const ceiling = sequenceOf(this.#options.databases[name]);
    // Only a store on a server answers later, and that has no reserve.
    if (ceiling === undefined || ceiling instanceof Promise) return undefined;
    return { next: String(next), ceiling: String(ceiling) };
  }
}
