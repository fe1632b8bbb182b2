/**
 * All worlds of a server. The default world is always open and keeps its place in the data directory; any other lies in
 * `worlds/<id>` there, is opened by the first request that carries its credentials, and closed when none has come for a while. See
 * ADR 0024.
 */
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { copyWorld } from '../copies/copy-world.ts';
import { type Pack, packWorld } from '../copies/pack-world.ts';
import { unpackWorld } from '../copies/unpack-world.ts';
import { dataNames } from '../data-names.ts';
import { credentialsFile, type Credentials as DemoCredentials } from '../demo/credentials.ts';
import { type Random, randomText } from '../world/random.ts';
import { DefaultWorld } from './default-world.ts';
import { TooManyWorldsError, UnknownOriginError, UnknownWorldError } from './errors.ts';
import { DEFAULT_ID, type HostedServices, type WorldHostOptions } from './host-options.ts';
import type { HostedWorld } from './hosted-world.ts';
import type { NewWorld } from './new-world.ts';
import { OpenWorlds } from './open-worlds.ts';
import { aboutPacked, takePacked } from './packed-world.ts';
import { type SnapshotFile, Snapshots } from './snapshots.ts';
import { WorldDirectories } from './world-directories.ts';
import { readWorldFile, type WorldFile, writeWorldFile } from './world-file.ts';
import { WorldOrigins } from './world-origins.ts';

const ID_LENGTH = 8;
const LOWER_CASE = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The most worlds of a server, and the most snapshots of a world: our choice. */
const usualBounds = { worlds: 10_000, snapshots: 100 };

/** Times of looking for worlds that are idle or have expired. */
const TIDY_MS = 5_000;

/** A world, and whether it is open. */
export interface ListedWorld extends WorldFile {
  readonly isOpen: boolean;
}

/** @typeParam Services what the server keeps for each open world; generic, since they know the host in turn */
export class WorldHost<Services extends HostedServices> {
  readonly #options: WorldHostOptions<Services>;
  /** The snapshots of all worlds. */
  readonly snapshots: Snapshots;
  readonly #directories: WorldDirectories;
  readonly #open: OpenWorlds<Services>;
  readonly #origins: WorldOrigins;
  /** Worlds that are being made. They count already, so that no burst of requests makes more than there may be. */
  readonly #making = new Set<string>();
  #defaultWorld: DefaultWorld<Services> | undefined;
  #tidying: NodeJS.Timeout | undefined;

  constructor(options: WorldHostOptions<Services>) {
    this.#options = options;
    const { dataDirectory, random, wallClock, failed } = options;
    this.snapshots = new Snapshots(dataDirectory, random);
    this.#directories = new WorldDirectories(dataDirectory);
    this.#open = new OpenWorlds({ open: (id) => this.#openServices(id), wallClock, failed });
    this.#origins = new WorldOrigins(options, this.snapshots, async (id, work) => {
      const done = await this.use(id, ({ world }) => work(world).then(() => true));
      return done ?? false;
    });
    rmSync(path.join(dataDirectory, dataNames.exports), { recursive: true, force: true });
    this.snapshots.findUnfinished((id) => this.has(id));
  }

  get #default(): DefaultWorld<Services> {
    const { dataDirectory, services, replacing, wallClock, failed } = this.#options;
    this.#defaultWorld ??= new DefaultWorld(DEFAULT_ID, {
      dataDirectory,
      services: services(),
      replacing,
      wallClock,
      failed: (error) => failed(error, DEFAULT_ID),
    });
    return this.#defaultWorld;
  }

  /** The default world. One that is being replaced cannot be entered; {@link enter} waits for it. */
  get here(): HostedWorld<Services> {
    return this.#default.hosted;
  }

  /** The number of worlds that are open, the default one included. */
  get openWorlds(): number {
    return this.#open.size + 1;
  }

  get #listedDefault(): ListedWorld {
    const { dataDirectory } = this.#options;
    const created_ms = Math.floor(statSync(dataDirectory).birthtimeMs);
    const origin = { origin: 'DEFAULT', origin_id: null, seed: null } as const;
    return { id: DEFAULT_ID, name: DEFAULT_ID, ...origin, created_ms, expires_ms: null, isOpen: true };
  }

  /** Begins to close worlds that are idle, and to delete those that have expired. */
  start(): void {
    void this.#default.clear();
    const left = this.snapshots.removeUnfinished();
    left.catch((error: unknown) => this.#options.failed(error, DEFAULT_ID));
    this.#tidying = setInterval(() => this.#tidy(), TIDY_MS);
    this.#tidying.unref();
  }

  /** Finds the world that a credential belongs to by its beginning; `undefined` for the default world. */
  worldOf(credential: string | undefined): string | undefined {
    if (this.#directories.size === 0 || credential === undefined) return undefined;
    const id = credential.slice(0, ID_LENGTH);
    return this.#directories.has(id) ? id : undefined;
  }

  /** Returns a world if it is open, for a call that can enter it without waiting. */
  opened(id: string): HostedWorld<Services> | undefined {
    return this.#open.hosted(id);
  }

  /** Returns whether there is a world. */
  has(id: string): boolean {
    return id === DEFAULT_ID || this.#directories.has(id);
  }

  /**
   * Runs a work in a world, which is opened for it and stays open until it has ended.
   * @returns what the work returns; `undefined` if there is no world of this id
   */
  async use<T>(id: string, work: (services: Services) => T | Promise<T>): Promise<T | undefined> {
    const hosted = await this.enter(id);
    if (!hosted) return undefined;
    try {
      return await work(hosted.services);
    } finally {
      hosted.leave();
    }
  }

  /** Opens a world and keeps it open until who has entered leaves it; `undefined` if there is none of this id. */
  async enter(id: string): Promise<HostedWorld<Services> | undefined> {
    if (id !== DEFAULT_ID) return this.#directories.has(id) ? this.#open.enter(id) : undefined;
    return this.#default.enter();
  }

  /** The services of a world, if that is open. */
  openServices(id: string): Services | undefined {
    return id === DEFAULT_ID ? this.here.services : this.#open.get(id);
  }

  /** Lists all worlds, the default one first, then by age. */
  list(): readonly ListedWorld[] {
    const ids = [DEFAULT_ID, ...this.#directories.list().map(({ id }) => id)];
    return ids.flatMap((id) => this.get(id) ?? []);
  }

  /** Returns a world without opening it. */
  get(id: string): ListedWorld | undefined {
    if (id === DEFAULT_ID) return this.#listedDefault;
    const file = this.#directories.get(id);
    return file && { ...file, isOpen: this.#open.has(id) };
  }

  /** Reads the credentials of the demo of a world; `undefined` where it has none. */
  credentialsOf(id: string): DemoCredentials | undefined {
    const places =
      id === DEFAULT_ID ? [this.#options.dataDirectory] : [this.#directories.of(id), this.snapshots.originOf(id)];
    const file = places.map(credentialsFile).find((candidate) => existsSync(candidate));
    if (file === undefined) return undefined;
    const held: DemoCredentials = JSON.parse(readFileSync(file, 'utf8'));
    // The server may listen elsewhere than when they were made.
    return { ...held, ...this.#options.addresses() };
  }

  /**
   * Creates a world. It exists once this resolves, and after a crash before that it does not.
   * @throws TooManyWorldsError, UnknownWorldError, SeedFileError, GeneratorStoppedError
   */
  async create(beginning: NewWorld): Promise<ListedWorld> {
    const file = this.#newFile({ ...beginning, seed: beginning.seed ?? this.#seedOf(beginning) });
    return this.#begin(file.id, async () => {
      await this.#origins.make(file, beginning);
      return file;
    });
  }

  /** Takes a snapshot of a world. @returns `undefined` if there is no such world @throws TooManyWorldsError */
  async snapshot(id: string, name: string | undefined): Promise<SnapshotFile | undefined> {
    const { snapshots: most } = this.#options.bounds ?? usualBounds;
    return this.use(id, ({ world }) => {
      if (this.snapshots.count(id) >= most) throw new TooManyWorldsError(`a world has up to ${most} snapshots`);
      return this.snapshots.take(world, { world_id: id, created_ms: this.#options.wallClock.now(), name });
    });
  }

  /**
   * Puts a world back to a snapshot of it, or to how it began. Requests that come in meanwhile wait. After a crash the world is as it was
   * before or as it is after.
   * @throws UnknownWorldError, UnknownSnapshotError, WorldBusyError; for the default world also UnknownOriginError, NotReplaceableError,
   * CallsUnderWayError
   */
  async restore(id: string, snapshot: SnapshotFile | undefined): Promise<ListedWorld> {
    if (id === DEFAULT_ID) return this.#restoreDefault(snapshot);
    const file = this.#directories.get(id);
    if (!file) throw new UnknownWorldError(id);
    const replace = (source: string) =>
      this.#directories.replace(file, source, (made) => this.#origins.resume(made, (snapshot ?? file).created_ms));
    await this.#open.alone(id, () =>
      snapshot ? this.snapshots.read(snapshot, replace) : replace(this.snapshots.originOf(id)),
    );
    return { ...file, isOpen: false };
  }

  async #restoreDefault(snapshot: SnapshotFile | undefined): Promise<ListedWorld> {
    this.#default.checkReplaceable();
    const origin = this.snapshots.originOf(DEFAULT_ID);
    const began = snapshot ?? readWorldFile(origin);
    if (!began) throw new UnknownOriginError('how the default world began was not kept');
    const replace = (source: string) =>
      this.#default.replace(source, (made) => this.#origins.resume(made, began.created_ms));
    await (snapshot ? this.snapshots.read(snapshot, replace) : replace(origin));
    return this.#listedDefault;
  }

  /**
   * Keeps how the default world began, for resets. To be called before it is used.
   * @param withoutKeys leaves out the keys of its secrets, which are given by a setting
   * @throws NotReplaceableError where it cannot be reset: a copy would only keep objects of a store from being removed
   */
  async keepOrigin({ withoutKeys }: { readonly withoutKeys: boolean }): Promise<void> {
    this.#default.checkReplaceable();
    const origin = this.snapshots.originOf(DEFAULT_ID);
    await rm(origin, { recursive: true, force: true });
    const { isOpen: _, ...listed } = this.#listedDefault;
    // The clock of a reset world goes on from where it is now.
    const file: WorldFile = { ...listed, created_ms: this.#options.wallClock.now() };
    await this.use(DEFAULT_ID, ({ world }) =>
      copyWorld(world, origin, { withoutKeys, prepare: async (made) => writeWorldFile(made, file) }),
    );
  }

  /**
   * Packs a world as one file, as it is now. The stream has to be read to the end, or destroyed.
   * @returns `undefined` if there is no such world
   * @throws PackError
   */
  async export(id: string): Promise<Pack | undefined> {
    const listed = this.get(id);
    if (!listed) return undefined;
    const directory = path.join(this.#options.dataDirectory, dataNames.exports, randomText(this.#options.random, 12));
    const leave = () => {
      rm(directory, { recursive: true, force: true }).catch((error: unknown) => this.#options.failed(error, id));
    };
    try {
      const { wallClock } = this.#options;
      const copied_ms = await this.use(id, async ({ world }) => {
        let instant_ms = wallClock.now();
        const onInstant = () => {
          instant_ms = wallClock.now();
        };
        await copyWorld(world, directory, { onInstant });
        return instant_ms;
      });
      if (copied_ms === undefined) return undefined;
      const pack = await packWorld(directory, {
        name: listed.name,
        ...(listed.seed === null ? {} : { seed: listed.seed }),
        copied_ms,
      });
      pack.stream.once('close', leave);
      return pack;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * Makes a world of such a file, with an id and credentials of its own. Its clock goes on from where it was when the file was made.
   * @throws TooManyWorldsError, PackError
   */
  async import(
    stream: AsyncIterable<Uint8Array>,
    { name, ttl_seconds }: Pick<NewWorld, 'name' | 'ttl_seconds'>,
  ): Promise<ListedWorld> {
    let file = this.#newFile({ name, ttl_seconds, origin: 'IMPORT' });
    const { id } = file;
    let copied_ms: number | undefined;
    return this.#begin(id, async () => {
      await unpackWorld(stream, this.snapshots.originOf(id), {
        onManifest: (manifest) => {
          const about = aboutPacked(manifest);
          file = { ...file, name: name ?? about.name ?? id, seed: about.seed ?? null };
          copied_ms = about.copied_ms;
        },
        prepare: (made) =>
          takePacked(made, file, {
            open: this.#options.open,
            resume: async () => {
              if (copied_ms !== undefined) await this.#origins.resume(made, copied_ms);
            },
          }),
      });
      return file;
    });
  }

  /**
   * Deletes a world and waits until its files are gone.
   * @returns the world as it was; `undefined` if there is none of this id
   * @throws WorldBusyError
   */
  async delete(id: string): Promise<ListedWorld | undefined> {
    const file = this.get(id);
    if (!file || id === DEFAULT_ID) return undefined;
    await this.#open.alone(id, async () => {
      this.#directories.forget(id);
      await this.#remove(id);
    });
    return file;
  }

  /** Lets those who wait in a world but the default one go on at once, as the server is about to end. */
  endWaits(): void {
    this.#open.endWaits();
  }

  /** Ends the generating of worlds, so that the end of the server need not wait for it. Of those worlds nothing is left. */
  stopGenerating(): Promise<void> {
    return this.#origins.stopGenerating();
  }

  /** Closes all worlds but the default one, when nothing replaces that one any more. */
  async close(): Promise<void> {
    clearInterval(this.#tidying);
    await this.stopGenerating();
    await this.#defaultWorld?.close();
    await this.#open.close();
  }

  /** Takes in a world once it has been made how it begins. Nothing is left where that fails. */
  async #begin(id: string, make: () => Promise<WorldFile>): Promise<ListedWorld> {
    this.#making.add(id);
    try {
      const file = await make();
      await this.#directories.add(file);
      return { ...file, isOpen: false };
    } catch (error) {
      await this.#remove(id);
      throw error;
    } finally {
      this.#making.delete(id);
    }
  }

  /** To be called right before {@link #begin}. @throws TooManyWorldsError */
  #newFile({ name, origin, origin_id, seed, ttl_seconds }: NewWorld): WorldFile {
    const { random, wallClock, bounds: { worlds: most } = usualBounds } = this.#options;
    const begun = [...this.#making].filter((made) => !this.#directories.has(made)).length;
    if (this.#directories.size + begun >= most) throw new TooManyWorldsError(`a server has up to ${most} worlds`);
    const id = this.#newId(random);
    const created_ms = wallClock.now();
    const expires_ms = ttl_seconds === undefined ? null : created_ms + ttl_seconds * 1000;
    return { id, name: name ?? id, origin, origin_id: origin_id ?? null, seed: seed ?? null, created_ms, expires_ms };
  }

  /** The seed of the world that another is copied from: it goes on as that would have. */
  #seedOf({ origin, origin_id = '' }: NewWorld): string | undefined {
    const source = origin === 'SNAPSHOT' ? this.snapshots.get(origin_id)?.world_id : origin_id;
    return (source !== undefined && this.#directories.get(source)?.seed) || undefined;
  }

  async #remove(id: string): Promise<void> {
    await this.#directories.remove(id);
    await this.snapshots.deleteAll(id);
  }

  #newId(random: Random): string {
    for (;;) {
      const id = `w${randomText(random, ID_LENGTH - 1, LOWER_CASE)}`;
      if (!this.#directories.isTaken(id) && !this.#making.has(id)) return id;
    }
  }

  /** Opens a world and begins its jobs; `undefined` if there is none of this id. */
  async #openServices(id: string): Promise<Services | undefined> {
    const file = this.#directories.get(id);
    if (!file) return undefined;
    if (!this.#directories.isFilled(id)) {
      await this.#directories.replace(file, this.snapshots.originOf(id), () => Promise.resolve());
    }
    const { open, servicesOf, failed } = this.#options;
    const world = await open(this.#directories.of(id), { credentialPrefix: id, seed: file.seed ?? undefined });
    world.members.onError((error) => failed(error, id));
    world.jobs.start((error) => failed(error, id));
    return servicesOf(world, addressPrefixOf(id));
  }

  #tidy(): void {
    const now = this.#options.wallClock.now();
    for (const { id, expires_ms } of this.#directories.list()) {
      if (expires_ms === null || expires_ms > now || this.#open.isReplacing(id)) continue;
      this.delete(id).catch((error: unknown) => this.#options.failed(error, id));
    }
    this.#open.closeIdle();
  }
}

/** The path that addresses of a world begin with where they carry no credential. */
export function addressPrefixOf(id: string): string {
  return id === DEFAULT_ID ? '' : `/~${id}`;
}
