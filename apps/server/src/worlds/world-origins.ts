/** Makes how new worlds begin: copies of open worlds, of snapshots and of the demo, and worlds that are no copies. */
import { generatorDefaults } from '@broadside/core/resources/control';
import { skipRestOf, standStill } from '../clock/closed-clock.ts';
import { copyClosedWorld, copyWorld } from '../copies/copy-world.ts';
import { makeDurable } from '../copies/durable-directory.ts';
import { renewCredentials } from '../copies/renew-credentials.ts';
import { GeneratorThreads } from '../seed/generator-threads.ts';
import type { World } from '../world/world.ts';
import { UnknownSnapshotError, UnknownWorldError } from './errors.ts';
import type { WorldHostOptions } from './host-options.ts';
import type { NewWorld } from './new-world.ts';
import type { Snapshots } from './snapshots.ts';
import type { WorldFile } from './world-file.ts';
import { WorldTemplate } from './world-template.ts';

/** The time at which the clock of a world that is made with a seed stands: our choice. */
const SEEDED_START = Date.UTC(2026, 0, 15, 8);

/** Runs a work in an open world. @returns false if there is none of this id */
type UseWorld = (id: string, work: (world: World) => Promise<void>) => Promise<boolean>;

export class WorldOrigins {
  readonly #options: Omit<WorldHostOptions<never>, 'services' | 'servicesOf' | 'replacing'>;
  readonly #snapshots: Snapshots;
  readonly #use: UseWorld;
  readonly #generators = new GeneratorThreads();
  /** Those that worlds without a seed of their own begin as. */
  readonly #templates: Readonly<Record<'DEMO' | 'EMPTY', WorldTemplate>>;

  constructor(
    options: Omit<WorldHostOptions<never>, 'services' | 'servicesOf' | 'replacing'>,
    snapshots: Snapshots,
    use: UseWorld,
  ) {
    this.#options = options;
    this.#snapshots = snapshots;
    this.#use = use;
    this.#templates = { DEMO: new WorldTemplate('demo', options), EMPTY: new WorldTemplate('empty', options) };
  }

  /**
   * Makes how a world begins, in its place among the snapshots. What is left there by a failure is the caller's to remove.
   * @param beginning what a seed file says, what is to be generated, and the seed, if it is not that of the world that is copied
   * @throws UnknownWorldError, SeedFileError, GeneratorStoppedError
   */
  async make(
    file: WorldFile,
    { content, generate, seed }: Pick<NewWorld, 'content' | 'generate' | 'seed'>,
  ): Promise<void> {
    const { id, origin, origin_id } = file;
    const directory = this.#snapshots.originOf(id);
    const finish = async (made: string) => {
      await renewCredentials(made, { prefix: id });
    };
    if (origin === 'WORLD') {
      const source = origin_id ?? '';
      const isThere = await this.#use(source, (world) => {
        let copied_ms = world.clock.now();
        const onInstant = () => {
          copied_ms = world.clock.now();
        };
        const prepare = async (made: string) => {
          if (seed !== undefined) await standStill(made, this.#options.wallClock.now(), copied_ms);
          await finish(made);
        };
        return copyWorld(world, directory, { onInstant, prepare });
      });
      if (!isThere) throw new UnknownWorldError(source);
    } else if (origin === 'SNAPSHOT') {
      const snapshot = this.#snapshots.get(origin_id ?? '');
      if (!snapshot) throw new UnknownSnapshotError(origin_id ?? '');
      const { created_ms } = snapshot;
      const prepare = async (made: string) => {
        // Times follow from a seed where the clock stands, at the same time in each world that is made of the snapshot.
        await (seed === undefined ? this.resume(made, created_ms) : standStill(made, created_ms));
        await finish(made);
      };
      await this.#snapshots.read(snapshot, (source) => copyClosedWorld(source, directory, { prepare }));
    } else if ((origin === 'DEMO' || origin === 'EMPTY' || origin === 'GENERATED') && file.seed === null) {
      const template = this.#templates[origin === 'EMPTY' ? 'EMPTY' : 'DEMO'];
      await copyClosedWorld(await template.directory(), directory, { prepare: finish });
    } else {
      await this.#makeAnew(directory, file, content);
    }
    if (generate) await this.#generate(directory, file, generate);
  }

  /** Ends the generating of worlds, and rejects what would begin later. */
  stopGenerating(): Promise<void> {
    return this.#generators.stop();
  }

  /** Generates people and posts into a world that has been made and nobody has open. */
  #generate(
    directory: string,
    { id: credentialPrefix, seed }: WorldFile,
    parameters: NonNullable<NewWorld['generate']>,
  ): Promise<void> {
    const until_ms = parameters.until_ms ?? (seed === null ? Date.parse(generatorDefaults.until) : SEEDED_START);
    const options = { credentialPrefix, ...(seed === null ? {} : { seed }) };
    return this.#generators.run({ directory, options, parameters: { ...parameters, until_ms } });
  }

  /**
   * Has the clock of a copy go on from where it was when the copy was made.
   * @param made_ms the time of the machine then. It may be after the present one: machines can differ, and be set back
   */
  async resume(directory: string, made_ms: number): Promise<void> {
    await skipRestOf(directory, this.#options.wallClock.now() - made_ms);
  }

  /** Makes a world that is no copy of another. */
  async #makeAnew(
    directory: string,
    { id: credentialPrefix, seed, origin }: WorldFile,
    content: Readonly<Record<string, unknown>> | undefined,
  ): Promise<void> {
    const { open, demo } = this.#options;
    await makeDurable(directory);
    // What follows from a seed is the same at the same times only.
    const seeded = seed === null ? {} : { seed, startsAt: SEEDED_START };
    const world = await open(directory, { credentialPrefix, ...seeded });
    try {
      if (origin !== 'EMPTY') await demo(world);
      if (content) await world.seeds.apply(content, directory);
    } finally {
      await world.close();
    }
  }
}
