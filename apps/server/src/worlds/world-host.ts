/**
 * All worlds of a server. The default world is always open and keeps its place in the data directory; any other lies in
 * `worlds/<id>` there, is opened by the first request that carries its credentials, and closed when none has come for a while. See
 * ADR 0024.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { skipRestOf } from '../clock/store.ts';
import { copyClosedWorld, copyWorld } from '../copies/copy-world.ts';
import { type Pack, packWorld } from '../copies/pack-world.ts';
import { renewCredentials } from '../copies/renew-credentials.ts';
import { unpackWorld } from '../copies/unpack-world.ts';
import { credentialsFile, type Credentials as DemoCredentials } from '../demo/credentials.ts';
import { syncDirectory } from '../members/durable-file.ts';
import { packageVersion } from '../package-file.ts';
import type { WallClock } from '../world/clock.ts';
import { type Random, randomText } from '../world/random.ts';
import { fileOf } from '../world/store-locations.ts';
import type { World } from '../world/world.ts';
import { HostedWorld } from './hosted-world.ts';
import { type SnapshotFile, Snapshots } from './snapshots.ts';
import { readWorldFile, type WorldFile, writeWorldFile } from './world-file.ts';

/** The id of the world that is always there. */
export const DEFAULT_ID = 'default';

const ID_LENGTH = 8;
const LOWER_CASE = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The most worlds of a server: our choice. */
const MAX_WORLDS = 10_000;

/** The time at which the clock of a world that is made with a seed stands: our choice. */
const SEEDED_START = Date.UTC(2026, 0, 15, 8);

/** The most snapshots of a world: our choice. */
const MAX_SNAPSHOTS = 100;

/** Names of directories beside those of worlds: one that takes the place of a world, and what it was. */
const READY = '.ready-';
const OLD = '.old-';

/** The directory of copies that are being exported, below the data directory. */
const EXPORTS = 'exports';

/** The directory of worlds that new ones are copied from. */
const TEMPLATES = 'templates';

/** A world that has not been used for so long is closed. */
const IDLE_MS = 600_000;

/** Times of looking for worlds that are idle or have expired. */
const TIDY_MS = 5_000;

/** Worlds above this number are closed as soon as they are idle, the one unused for longest first. */
const MAX_OPEN = 256;

/** What the host needs to run worlds. */
export interface WorldHostOptions<Services> {
  /** The data directory of the server, which is that of the default world. */
  readonly dataDirectory: string;
  /** The services of the default world, which are made with the host. */
  readonly services: () => Services;
  /** Opens a world. @param prefix what its credentials begin with @param seed what its ids follow from */
  readonly open: (directory: string, options: OpenedAs) => Promise<World>;
  /** Makes the services of a world. @param addressPrefix the path that its addresses without a credential begin with */
  readonly servicesOf: (world: World, addressPrefix: string) => Services;
  /** The addresses of the listeners, as `credentials.json` has them. */
  readonly addresses: () => Pick<DemoCredentials, 'base_url' | 'ads_base_url' | 'ads_sandbox_base_url'>;
  /** Makes the demo of a new world. */
  readonly demo: (world: World) => Promise<unknown>;
  readonly wallClock: WallClock;
  /** Source of the ids of worlds. */
  readonly random: Random;
  /** Is told what went wrong where no caller waits. */
  readonly failed: (error: unknown, world_id: string) => void;
}

/** The way in which a world is opened. */
interface OpenedAs {
  /** Its credentials begin with it. */
  readonly credentialPrefix: string;
  readonly seed?: string | undefined;
  /** The time at which the clock of a new world stands. */
  readonly startsAt?: number | undefined;
}

/** A world, and whether it is open. */
export interface ListedWorld extends WorldFile {
  readonly isOpen: boolean;
}

/** The beginning of a new world. */
export interface NewWorld {
  readonly name?: string | undefined;
  readonly origin: Exclude<WorldFile['origin'], 'DEFAULT'>;
  /** The world or snapshot that it is copied from. */
  readonly origin_id?: string | undefined;
  /** What a seed file says. */
  readonly content?: Readonly<Record<string, unknown>> | undefined;
  readonly seed?: string | undefined;
  readonly ttl_seconds?: number | undefined;
}

/** There are as many worlds as there may be. */
export class TooManyWorldsError extends Error {
  override readonly name = 'TooManyWorldsError';
}

/** There is no world or snapshot of an id. */
export class UnknownWorldError extends Error {
  override readonly name = 'UnknownWorldError';
}

/** A world is being replaced or deleted. */
export class WorldBusyError extends Error {
  override readonly name = 'WorldBusyError';
}

/** @typeParam Services what the server keeps for each open world; generic, since they know the host in turn */
export class WorldHost<Services extends { readonly world: World }> {
  readonly #options: WorldHostOptions<Services>;
  /** The snapshots of all worlds. */
  readonly snapshots: Snapshots;
  readonly #root: string;
  #default: HostedWorld<Services> | undefined;
  /** Worlds that have a directory, by id. */
  readonly #known = new Map<string, WorldFile>();
  readonly #open = new Map<string, HostedWorld<Services>>();
  readonly #opening = new Map<string, Promise<HostedWorld<Services> | undefined>>();
  /** Worlds that are being replaced or deleted. */
  readonly #replacing = new Set<string>();
  readonly #closing = new Map<string, Promise<void>>();
  #template: Promise<string> | undefined;
  #tidying: NodeJS.Timeout | undefined;

  constructor(options: WorldHostOptions<Services>) {
    this.#options = options;
    this.#root = path.join(options.dataDirectory, 'worlds');
    this.snapshots = new Snapshots(options.dataDirectory, options.random);
    recover(this.#root);
    rmSync(path.join(options.dataDirectory, EXPORTS), { recursive: true, force: true });
    for (const id of namesIn(this.#root)) {
      const file = readWorldFile(this.#directoryOf(id));
      // What has no file was being made, or deleted, when a process ended.
      if (file) this.#known.set(id, file);
      else rmSync(this.#directoryOf(id), { recursive: true, force: true });
    }
  }

  get #defaultWorld(): ListedWorld {
    const { dataDirectory } = this.#options;
    const created_ms = Math.floor(statSync(dataDirectory).birthtimeMs);
    const origin = { origin: 'DEFAULT', origin_id: null, seed: null } as const;
    return { id: DEFAULT_ID, name: DEFAULT_ID, ...origin, created_ms, expires_ms: null, isOpen: true };
  }

  #directoryOf(id: string): string {
    return path.join(this.#root, id);
  }

  /** Begins to close worlds that are idle, and to delete those that have expired. */
  start(): void {
    const left = this.snapshots.tidy((id) => this.has(id));
    left.catch((error: unknown) => this.#options.failed(error, DEFAULT_ID));
    this.#tidying = setInterval(() => this.#tidy(), TIDY_MS);
    this.#tidying.unref();
  }

  /** Finds the world that a credential belongs to by its beginning; `undefined` for the default world. */
  worldOf(credential: string | undefined): string | undefined {
    if (this.#known.size === 0 || credential === undefined) return undefined;
    const id = credential.slice(0, ID_LENGTH);
    return this.#known.has(id) ? id : undefined;
  }

  /** Returns whether there is a world. */
  has(id: string): boolean {
    return id === DEFAULT_ID || this.#known.has(id);
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
    for (;;) {
      const hosted = await this.#find(id);
      // It may have begun to close in between; then it is opened anew.
      if (!hosted || hosted.enter()) return hosted;
    }
  }

  /** Returns a world that is open, or opens it. */
  #find(id: string): HostedWorld<Services> | Promise<HostedWorld<Services> | undefined> | undefined {
    if (id === DEFAULT_ID) {
      this.#default ??= new HostedWorld(id, this.#options.services(), () => this.#options.wallClock.elapsed());
      return this.#default;
    }
    return this.#open.get(id) ?? (this.#known.has(id) ? this.#opened(id) : undefined);
  }

  /** Lists all worlds, the default one first, then by age. */
  list(): readonly ListedWorld[] {
    const others = [...this.#known.values()].sort((one, other) => one.created_ms - other.created_ms);
    return [this.get(DEFAULT_ID), ...others.map(({ id }) => this.get(id))].flatMap((found) => found ?? []);
  }

  /** Returns a world without opening it. */
  get(id: string): ListedWorld | undefined {
    if (id === DEFAULT_ID) return this.#defaultWorld;
    const file = this.#known.get(id);
    return file && { ...file, isOpen: this.#open.has(id) };
  }

  /** Reads the credentials of the demo of a world; `undefined` where it has none. */
  credentialsOf(id: string): DemoCredentials | undefined {
    const places =
      id === DEFAULT_ID ? [this.#options.dataDirectory] : [this.#directoryOf(id), this.snapshots.originOf(id)];
    const file = places.map(credentialsFile).find((candidate) => existsSync(candidate));
    if (file === undefined) return undefined;
    const held: DemoCredentials = JSON.parse(readFileSync(file, 'utf8'));
    // The server may listen elsewhere than when they were made.
    return { ...held, ...this.#options.addresses() };
  }

  /**
   * Creates a world. It exists once this resolves, and after a crash before that it does not.
   * @throws TooManyWorldsError, UnknownWorldError, SeedFileError
   */
  async create(beginning: NewWorld): Promise<ListedWorld> {
    const file = this.#newFile({ ...beginning, seed: beginning.seed ?? this.#seedOf(beginning) });
    const { id, origin, origin_id } = file;
    const directory = this.snapshots.originOf(id);
    const finish = async (made: string) => {
      await renewCredentials(made, { prefix: id });
    };
    if (origin === 'WORLD') {
      const copied = await this.use(origin_id ?? '', async ({ world }) => {
        await copyWorld(world, directory, { prepare: finish });
        return true;
      });
      if (!copied) throw new UnknownWorldError(origin_id ?? '');
    } else if (origin === 'SNAPSHOT') {
      const snapshot = this.snapshots.get(origin_id ?? '');
      if (!snapshot) throw new UnknownWorldError(origin_id ?? '');
      const { created_ms } = snapshot;
      const prepare = async (made: string) => {
        await this.#resume(made, created_ms);
        await finish(made);
      };
      await copyClosedWorld(this.snapshots.directoryOf(snapshot), directory, { prepare });
    } else if (origin === 'DEMO' && file.seed === null) {
      await copyClosedWorld(await this.#demo(), directory, { prepare: finish });
    } else {
      await this.#make(directory, file, beginning.content);
    }
    return this.#begin(file);
  }

  /** Takes a snapshot of a world. @returns `undefined` if there is no such world @throws TooManyWorldsError */
  async snapshot(id: string, name: string | undefined): Promise<SnapshotFile | undefined> {
    if (!this.has(id)) return undefined;
    if (this.snapshots.list(id).length >= MAX_SNAPSHOTS) {
      throw new TooManyWorldsError(`a world has up to ${MAX_SNAPSHOTS} snapshots`);
    }
    const created_ms = this.#options.wallClock.now();
    return this.use(id, ({ world }) => this.snapshots.take(world, { world_id: id, created_ms, name }));
  }

  /**
   * Puts a world back to a snapshot of it, or to how it began. Requests that come in meanwhile wait. After a crash the world is as it was
   * before or as it is after.
   * @throws UnknownWorldError, WorldBusyError
   */
  async restore(id: string, snapshot: SnapshotFile | undefined): Promise<ListedWorld> {
    const file = this.#known.get(id);
    if (!file) throw new UnknownWorldError(id);
    const source = snapshot ? this.snapshots.directoryOf(snapshot) : this.snapshots.originOf(id);
    await this.#alone(id, () =>
      this.#replace(file, source, (made) => this.#resume(made, (snapshot ?? file).created_ms)),
    );
    return { ...file, isOpen: false };
  }

  /**
   * Packs a world as one file, as it is now. The stream has to be read to the end, or destroyed.
   * @returns `undefined` if there is no such world
   * @throws PackError
   */
  async export(id: string): Promise<Pack | undefined> {
    const listed = this.get(id);
    if (!listed) return undefined;
    const directory = path.join(this.#options.dataDirectory, EXPORTS, randomText(this.#options.random, 12));
    const leave = () => {
      rm(directory, { recursive: true, force: true }).catch((error: unknown) => this.#options.failed(error, id));
    };
    try {
      const copied = await this.use(id, async ({ world }) => {
        await copyWorld(world, directory);
        return true;
      });
      if (!copied) return undefined;
      const pack = await packWorld(directory, {
        name: listed.name,
        ...(listed.seed === null ? {} : { seed: listed.seed }),
      });
      pack.stream.once('close', leave);
      return pack;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * Makes a world of such a file, with an id and credentials of its own.
   * @throws TooManyWorldsError, PackError
   */
  async import(
    stream: AsyncIterable<Uint8Array>,
    { name, ttl_seconds }: Pick<NewWorld, 'name' | 'ttl_seconds'>,
  ): Promise<ListedWorld> {
    let file = this.#newFile({ name, ttl_seconds, origin: 'IMPORT' });
    const { id } = file;
    await unpackWorld(stream, this.snapshots.originOf(id), {
      onManifest: ({ world }) => {
        const { name: before, seed } = world;
        const called = typeof before === 'string' ? before : id;
        file = { ...file, name: name ?? called, seed: typeof seed === 'string' ? seed : null };
      },
      prepare: async (made) => {
        await renewCredentials(made, { prefix: id });
      },
    });
    return this.#begin(file);
  }

  /**
   * Deletes a world and waits until its files are gone.
   * @returns the world as it was; `undefined` if there is none of this id
   * @throws WorldBusyError
   */
  async delete(id: string): Promise<ListedWorld | undefined> {
    const file = this.get(id);
    if (!file || id === DEFAULT_ID) return undefined;
    await this.#alone(id, async () => {
      this.#known.delete(id);
      // From here on no request finds it, nor does a start.
      rmSync(path.join(this.#directoryOf(id), 'world.json'), { force: true });
      await this.#remove(id);
    });
    return file;
  }

  /** Closes all worlds but the default one. */
  async close(): Promise<void> {
    clearInterval(this.#tidying);
    await Promise.all([...this.#opening.values()].map((opening) => opening.catch(() => undefined)));
    await Promise.all([...this.#open.keys()].map((id) => this.#shut(id)));
  }

  /** Has the clock of a copy go on from where it was when the copy was made. */
  async #resume(directory: string, made_ms: number): Promise<void> {
    await skipRestOf(directory, Math.max(0, this.#options.wallClock.now() - made_ms));
  }

  /** Takes in a world of which there is how it began. The place in which it lives is made when it is first opened. */
  async #begin(file: WorldFile): Promise<ListedWorld> {
    const { id } = file;
    const place = this.#directoryOf(id);
    try {
      mkdirSync(place, { recursive: true, mode: 0o700 });
      writeWorldFile(place, file);
      syncDirectory(this.#root);
    } catch (error) {
      await this.#remove(id);
      throw error;
    }
    this.#known.set(id, file);
    return { ...file, isOpen: false };
  }

  /**
   * Puts a copy of a closed world in the place of one that is not open. A crash leaves one or the other.
   * @param prepare works on the copy before it takes the place
   */
  async #replace(file: WorldFile, source: string, prepare: (made: string) => Promise<void>): Promise<void> {
    const { id } = file;
    const place = this.#directoryOf(id);
    const ready = path.join(this.#root, `${READY}${id}`);
    const old = path.join(this.#root, `${OLD}${id}`);
    await rm(ready, { recursive: true, force: true });
    await copyClosedWorld(source, ready, {
      prepare: async (made) => {
        await prepare(made);
        writeWorldFile(made, file);
      },
    });
    await rename(place, old);
    await rename(ready, place);
    syncDirectory(this.#root);
    await rm(old, { recursive: true, force: true });
  }

  /** @throws TooManyWorldsError */
  #newFile({ name, origin, origin_id, seed, ttl_seconds }: NewWorld): WorldFile {
    if (this.#known.size >= MAX_WORLDS) throw new TooManyWorldsError(`a server has up to ${MAX_WORLDS} worlds`);
    const { random, wallClock } = this.#options;
    const id = this.#newId(random);
    const created_ms = wallClock.now();
    const expires_ms = ttl_seconds === undefined ? null : created_ms + ttl_seconds * 1000;
    return { id, name: name ?? id, origin, origin_id: origin_id ?? null, seed: seed ?? null, created_ms, expires_ms };
  }

  /**
   * The directory of a demo that new worlds are copied from: making one takes a hundred times as long. It is made when it is first wanted, by
   * each version.
   */
  #demo(): Promise<string> {
    this.#template ??= this.#makeDemo().catch((error: unknown) => {
      this.#template = undefined;
      throw error;
    });
    return this.#template;
  }

  async #makeDemo(): Promise<string> {
    const { dataDirectory, open, demo, random } = this.#options;
    const place = path.join(dataDirectory, TEMPLATES, `demo-${packageVersion()}`);
    if (existsSync(place)) return place;
    await rm(path.dirname(place), { recursive: true, force: true });
    const made = path.join(dataDirectory, TEMPLATES, `.making-${randomText(random, 8)}`);
    mkdirSync(made, { recursive: true, mode: 0o700 });
    const world = await open(made, { credentialPrefix: '' });
    try {
      await demo(world);
    } finally {
      await world.close();
    }
    await rename(made, place);
    syncDirectory(path.dirname(place));
    return place;
  }

  /** The seed of the world that another is copied from: it goes on as that would have. */
  #seedOf({ origin, origin_id = '' }: NewWorld): string | undefined {
    const source = origin === 'SNAPSHOT' ? this.snapshots.get(origin_id)?.world_id : origin_id;
    return (source !== undefined && this.#known.get(source)?.seed) || undefined;
  }

  /** Makes a world that is no copy of another. */
  async #make(directory: string, file: WorldFile, content: NewWorld['content']): Promise<void> {
    const { open, demo } = this.#options;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    try {
      const { id: credentialPrefix, seed } = file;
      // What follows from a seed is the same at the same times only.
      const seeded = seed === null ? {} : { seed, startsAt: SEEDED_START };
      const world = await open(directory, { credentialPrefix, ...seeded });
      try {
        if (file.origin !== 'EMPTY') await demo(world);
        if (content) await world.seeds.apply(content, directory);
      } finally {
        await world.close();
      }
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  async #remove(id: string): Promise<void> {
    await rm(this.#directoryOf(id), { recursive: true, force: true });
    await this.snapshots.deleteAll(id);
  }

  /**
   * Closes a world and runs a work on its files. Requests that look for it meanwhile wait.
   * @throws WorldBusyError
   */
  async #alone(id: string, work: () => Promise<void>): Promise<void> {
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

  #newId(random: Random): string {
    for (;;) {
      const id = `w${randomText(random, ID_LENGTH - 1, LOWER_CASE)}`;
      if (!this.#known.has(id) && !existsSync(this.#directoryOf(id))) return id;
    }
  }

  #hosted(id: string, world: World): HostedWorld<Services> {
    const { servicesOf, wallClock, failed } = this.#options;
    world.members.onError((error) => failed(error, id));
    world.jobs.start((error) => failed(error, id));
    return new HostedWorld(id, servicesOf(world, addressPrefixOf(id)), () => wallClock.elapsed());
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
    const file = this.#known.get(id);
    if (!file) return undefined;
    const directory = this.#directoryOf(id);
    if (!existsSync(path.join(directory, fileOf('platform')))) {
      await this.#replace(file, this.snapshots.originOf(id), () => Promise.resolve());
    }
    const world = await this.#options.open(directory, { credentialPrefix: id, seed: file.seed ?? undefined });
    const hosted = this.#hosted(id, world);
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
    const closing: Promise<void> = hosted
      .end()
      .then(() => hosted.services.world.close())
      .finally(() => {
        if (this.#closing.get(id) === closing) this.#closing.delete(id);
      });
    this.#closing.set(id, closing);
    await closing;
  }

  #tidy(): void {
    const now = this.#options.wallClock.now();
    const failed = (id: string) => (error: unknown) => this.#options.failed(error, id);
    for (const { id, expires_ms } of this.#known.values()) {
      if (expires_ms !== null && expires_ms <= now && !this.#replacing.has(id)) this.delete(id).catch(failed(id));
    }
    const byUse = [...this.#open.values()].filter(({ idle }) => idle > 0).sort((one, other) => other.idle - one.idle);
    const surplus = this.#open.size - MAX_OPEN;
    for (const [place, { id, idle }] of byUse.entries()) {
      if (idle >= IDLE_MS || place < surplus) this.#shut(id).catch(failed(id));
    }
  }
}

/** The path that addresses of a world begin with where they carry no credential. */
export function addressPrefixOf(id: string): string {
  return id === DEFAULT_ID ? '' : `/~${id}`;
}

/** Brings to an end what an earlier process was replacing: the world is as before, or as after. */
function recover(root: string): void {
  for (const name of namesIn(root)) {
    if (!name.startsWith('.')) continue;
    const place = path.join(root, name.slice(OLD.length));
    if (name.startsWith(OLD) && !existsSync(place)) renameSync(path.join(root, name), place);
    else rmSync(path.join(root, name), { recursive: true, force: true });
  }
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
