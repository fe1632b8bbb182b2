/**
 * A World is one isolated platform: identities and tokens, advertising data of two environments, a clock, a source of ids
 * and randomness. The server runs one; tests open as many as they like.
 */
import path from 'node:path';
import { quotas as usualQuotas } from '@broadside/core';
import type { AudienceStore } from '../audience/audience-store.ts';
import type { KeywordInsightsStore } from '../audience/keyword-insights.ts';
import type { AudienceProcessing } from '../audience/processing.ts';
import { AuditLog } from '../audit/audit-log.ts';
import type { NonceRegistry } from '../auth/nonces.ts';
import type { WorldTime } from '../clock/world-time.ts';
import type { CopySource } from '../copies/copy-source.ts';
import { StoresCopy } from '../copies/copy-stores.ts';
import { dataNames } from '../data-names.ts';
import type { Database } from '../db/database.ts';
import { WorldFaults } from '../faults/world-faults.ts';
import { FollowStore } from '../follows/follow-store.ts';
import type { HashDoctor } from '../hash-doctor/hash-doctor.ts';
import type { BearerTokens } from '../identity/bearer-tokens.ts';
import { identityServices } from '../identity/identity-services.ts';
import type { IdentityStore } from '../identity/identity-store.ts';
import { requestTokenExpiries } from '../identity/request-token-expiries.ts';
import type { RequestTokens } from '../identity/request-tokens.ts';
import type { Sessions } from '../identity/sessions.ts';
import { StoredJobLeases } from '../jobs/job-leases.ts';
import { Jobs } from '../jobs/jobs.ts';
import type { BlobStore } from '../media/blobs/blob-store.ts';
import { MediaStore } from '../media/media-store.ts';
import { ServedMedia } from '../media/served-media.ts';
import type { MemberStore } from '../members/member-store.ts';
import { Moderation } from '../moderation/moderation.ts';
import { notificationExpiries } from '../notifications/expiries.ts';
import { NotificationStore } from '../notifications/notification-store.ts';
import { AppDeletions } from '../people/app-deletions.ts';
import { AppExports } from '../people/app-exports.ts';
import { PersonExports } from '../people/exported.ts';
import type { Memberships } from '../people/memberships.ts';
import { PersonDeletions } from '../people/person-deletions.ts';
import { pollEnds } from '../polls/ends.ts';
import { PollStore } from '../polls/poll-store.ts';
import { PostStore } from '../posts/post-store.ts';
import { PublicationJobs } from '../posts/publication-jobs.ts';
import { ShownPosts } from '../posts/shown-posts.ts';
import { SeedStore } from '../seed/seed-store.ts';
import type { PlatformServers } from '../servers/platform-servers.ts';
import type { SharedState } from '../shared/shared-state.ts';
import type { ReaderNonces } from '../threads/reader-nonces.ts';
import type { AudienceWork } from '../workers/calls.ts';
import type { SharedAudience } from '../workers/shared-audience.ts';
import { AdsStore } from './ads-store.ts';
import { type Clock, type WallClock, wallClock } from './clock.ts';
import { Closing } from './closing.ts';
import { type Environment, environments } from './environment.ts';
import { forbidInReaders, forbidInWrites } from './forbidden-parts.ts';
import type { Snowflakes } from './ids.ts';
import { completeJointWrites, type JointStore, jointWrite } from './joint-write.ts';
import { type Random, randomText, systemRandom } from './random.ts';
import { ReplicatedStores } from './replicated-stores.ts';
import type { SecretBox } from './secrets.ts';
import { ShardsOfWorld } from './shards/shards-of-world.ts';
import { WorldAudience } from './world-audience.ts';
import { WorldIds } from './world-ids.ts';
import { type Families, type ReadingOptions, type StoreName, storeNames, type WorldOptions } from './world-options.ts';
import { openParts, openReadingParts, type WorldParts } from './world-parts.ts';
import type { WorldPlace } from './world-place.ts';
import { WorldStores } from './world-stores.ts';

export class World {
  // What each call reads comes first, so that it is in few lines of the processor's cache.
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly identity: IdentityStore;
  readonly ads: Readonly<Record<Environment, AdsStore>>;
  readonly nonces: NonceRegistry | ReaderNonces;
  /** What the servers of the platform share, where there can be several. */
  readonly shared: SharedState | undefined;
  /** The clock that windows of rate limits pass by: the wall's, or the world's where it was told so. */
  readonly limitsClock: WallClock;
  /** Sets and advances the clock. */
  readonly time: WorldTime;
  /** The source of ids and choices. */
  readonly random: Random;
  /** The source of keys, tokens and secrets, and of what is not of the world itself. */
  readonly credentialRandom: Random;
  /** Credentials that are made in this world begin with it. */
  readonly credentialPrefix: string;
  /** Numeric ids of people, apps, media and posts, and of what an account has under such an id. */
  readonly snowflakes: Snowflakes;
  readonly bearerTokens: BearerTokens;
  readonly requestTokens: RequestTokens;
  readonly sessions: Sessions;
  /** Notifications to people, shown on pages. */
  readonly notifications: NotificationStore;
  readonly posts: PostStore;
  readonly polls: PollStore;
  /** Posts and people as pages show them. */
  readonly shown: ShownPosts;
  readonly follows: FollowStore;
  /** What the operator holds against posts. */
  readonly moderation: Moderation;
  readonly media: MediaStore;
  /** Media as anybody gets them. */
  readonly servedMedia: ServedMedia;
  /** Rules by which calls and jobs fail. */
  readonly faults: WorldFaults;
  /** Deferred work. A server starts it; tests run due jobs explicitly. */
  readonly jobs: Jobs;
  /** Has scheduled posts published at their time. */
  readonly publications: PublicationJobs;
  /** Deletes people at the end of their time of grace. */
  readonly deletions: PersonDeletions;
  /** Deletes apps at the end of theirs. */
  readonly appDeletions: AppDeletions;
  /** Reads what is held on people. */
  readonly exports: PersonExports;
  /** Reads what is held on apps. */
  readonly appExports: AppExports;
  /** Which audiences have a person among their members. */
  readonly memberships: Memberships;
  readonly seeds: SeedStore;
  /** Reads the change logs. */
  readonly audit: AuditLog;
  /** Counts people for advertisers. */
  readonly audience: AudienceStore;
  /** Searches posts for keywords. */
  readonly insights: KeywordInsightsStore;
  /** Names mistakes in uploaded hashes, for development mode only. */
  readonly hashDoctor: HashDoctor;
  /** Counts the members of audiences after they have come. */
  readonly processing: AudienceProcessing;
  /** The work on audiences, which may be that of a worker. */
  readonly audienceWork: AudienceWork;
  /** How it is shared, on a platform with workers. */
  readonly sharedAudience: SharedAudience | undefined;
  /** Members of audiences and of do-not-reach lists, of both environments. */
  readonly members: MemberStore;
  /** Seals what is written beside the stores. */
  readonly secrets: SecretBox;
  /** A key of the platform, for keyed hashes that need not outlive a form. */
  readonly platformKey: string;
  /** The stores taken together. */
  readonly stores: WorldStores;
  /** Replicas of the stores, which answer reads. */
  readonly replicas: ReplicatedStores;
  /** They are those of the server, which stay open. */
  readonly #hasOthersNonces: boolean;
  readonly dataDirectory: string;
  /**
   * Begins a copy of this world; to be called by `copyWorld`.
   * @param target the directory of the copy
   * @param withObjects false where the copy is not to share objects of an object store
   */
  readonly beginCopy: (
    target: string,
    what: { readonly withObjects: boolean; readonly forBackup: boolean },
  ) => CopySource;
  /** The bytes of media, for a backup. */
  readonly blobs: BlobStore;
  readonly #closing = new Closing();
  readonly #ids: WorldIds;
  readonly #databases: Readonly<Record<StoreName, Database>>;
  readonly #shards: ShardsOfWorld;
  /** Held by the world that writes. */
  readonly #held: WorldParts['held'];
  #isVacated = false;
  readonly #audience: WorldAudience;
  /** Makes the same world over databases as seen from inside a write. @param inside those beside the platform, by name */
  readonly #inside: (platform: Database, inside: ReadonlyMap<string, Database>) => World;

  private constructor(options: WorldOptions, families: Families, parts: WorldParts, outer?: World) {
    const { databases, nonces, blobs, held, time, ruling } = parts;
    const { secrets, key, sealing: secretKeys } = parts.secrets;
    this.#inside = (platform, inside) => {
      const { production, sandbox } = databases;
      const own = { production: inside.get('production') ?? production, sandbox: inside.get('sandbox') ?? sandbox };
      return new World(options, families, { ...parts, databases: { platform, ...own }, inside, held: undefined }, this);
    };
    this.dataDirectory = options.dataDirectory;
    this.time = time;
    this.clock = time.clock;
    this.limitsClock = time.limits;
    this.wallClock = options.wallClock ?? wallClock;
    this.credentialRandom = options.credentialRandom ?? options.random ?? systemRandom;
    this.credentialPrefix = options.credentialPrefix ?? '';
    this.secrets = secrets;
    this.platformKey = key;
    this.#databases = databases;
    this.#shards = new ShardsOfWorld(parts.shards ?? {});
    this.replicas = parts.replicas ?? new ReplicatedStores();
    const registration = held?.servers?.registration;
    this.stores = new WorldStores({ databases, shards: this.#shards, replicas: this.replicas, registration });
    this.nonces = nonces;
    this.#hasOthersNonces = nonces === options.serverNonces;
    this.#held = held;
    this.shared = held?.shared;
    const { clock } = this;
    // The data directory is locked, so a file in it has no other writer; a remote store may have.
    const cached = (name: StoreName) =>
      outer === undefined && options.stores?.[name] === undefined && (name === 'platform' || !parts.shards?.[name]);
    // Servers that share state tell each other what is outdated.
    const remembered = (name: StoreName) =>
      this.shared !== undefined || (outer === undefined && options.stores?.[name] === undefined);
    const database = databases.platform;
    // One source of ids: ids of one world never meet.
    const sources =
      outer === undefined
        ? new WorldIds({
            ...options,
            dataDirectory: held && options.dataDirectory,
            clock,
            databases,
            isOwn: (name) => cached(name),
            worker: registration,
          })
        : outer.#ids;
    this.#ids = sources;
    this.audit = new AuditLog(databases, parts.shards);
    this.random = sources.stream('choices');
    const ids = sources.snowflakes;
    this.snowflakes = ids;
    this.posts = new PostStore({ database, clock, ids, cache: cached('platform') });
    this.polls = new PollStore({ database, clock });
    this.shown = new ShownPosts({ database });
    this.follows = new FollowStore({ database, clock });
    const leases = held?.servers && new StoredJobLeases(database, held.servers.registration.leases);
    const elsewhere = held?.servers?.membersElsewhere;
    const others = elsewhere === undefined ? [] : ['audience', 'members'];
    this.jobs = new Jobs({
      database,
      clock,
      outer: outer?.jobs,
      leases,
      elsewhere: others,
      messages: this.shared?.messages,
    });
    if (!outer) {
      time.with(this.jobs);
      for (const source of [pollEnds, notificationExpiries, requestTokenExpiries]) time.watch(source(database));
    }
    const { limitsClock } = this;
    // Worlds of a server are copied from few that were prepared, with their keys.
    const chances = options.seed ?? `${key}${options.credentialPrefix ?? ''}`;
    this.faults = outer?.faults ?? new WorldFaults({ database, clock, limitsClock, chances, memory: ruling });
    if (!outer) time.onLimits((moved_ms) => this.faults.moveLimits(moved_ms));
    this.publications = new PublicationJobs({ database, clock, jobs: this.jobs });
    this.moderation = new Moderation({ database, clock, jobs: this.jobs, posts: this.posts });
    const quotas = { ...usualQuotas, ...options.quotas };
    // Worlds with the same seed may share an object store, where names may not meet.
    const isShared = options.media !== undefined && 'url' in options.media;
    const names = isShared ? this.credentialRandom : sources.stream('media');
    this.servedMedia = new ServedMedia({ database, blobs, hasRepeatedNames: names !== systemRandom && !isShared });
    this.media = new MediaStore({
      database,
      clock,
      random: names,
      ids,
      blobs,
      jobs: this.jobs,
      quotas,
      faults: this.faults,
    });
    this.seeds = new SeedStore({ database, clock, random: sources.stream('seeds'), blobs });
    this.blobs = blobs;
    this.beginCopy = (target, { withObjects, forBackup }) => {
      const copied = this.#shards.copied(forBackup);
      return {
        databases,
        shards: copied.map((shard) => shard.database),
        secretKeys,
        parts: [
          new StoresCopy(databases, target, { shards: copied, withRemote: forBackup }),
          ofAudience.members.beginCopy(path.join(target, dataNames.members)),
          sources.beginCopy(target),
        ],
        media: blobs.hold && !withObjects ? undefined : blobs.beginCopy(path.join(target, dataNames.media)),
      };
    };
    const { identity, bearerTokens, requestTokens, sessions } = identityServices({
      ...{ database, clock, wallClock: this.wallClock, ids, secrets, key },
      random: this.credentialRandom,
      prefix: this.credentialPrefix,
      cache: remembered('platform'),
    });
    this.identity = identity;
    this.bearerTokens = bearerTokens;
    this.requestTokens = requestTokens;
    this.sessions = sessions;
    const { jobs, media, posts } = this;
    this.appDeletions = new AppDeletions({ clock, jobs, identity });
    this.exports = new PersonExports(database, blobs);
    this.appExports = new AppExports(database);
    this.deletions = new PersonDeletions({ database, clock, jobs, media, posts, identity });
    this.notifications = new NotificationStore({ database, clock, messages: this.shared?.messages });
    const ads = (name: Environment) =>
      outer?.ads[name].inside(databases[name], (shard) => parts.inside?.get(`${name}/${shard}`)) ??
      new AdsStore(
        {
          database: databases[name],
          clock,
          random: sources.stream(`accounts ${name}`),
          ...families,
          cache: cached(name),
          remember: remembered(name),
          quotas,
          shards: parts.shards?.[name],
          replicas: parts.replicas?.of(name),
        },
        sources.reserve(name),
      );
    this.ads = { production: ads('production'), sandbox: ads('sandbox') };
    const ofAudience = new WorldAudience({
      ...{ options, database, clock, wallClock: this.wallClock, key, jobs },
      entities: families.entities,
      faults: this.faults,
      ads: this.ads,
      world: this,
      servers: held?.servers,
    });
    this.#audience = ofAudience;
    this.members = ofAudience.members;
    this.memberships = ofAudience.memberships;
    this.sharedAudience = ofAudience.sharedAudience;
    this.audience = ofAudience.audience;
    this.hashDoctor = ofAudience.hashDoctor;
    this.insights = ofAudience.insights;
    this.processing = ofAudience.processing;
    this.audienceWork = ofAudience.audienceWork;
  }

  /**
   * Opens the stores and brings them up to date. `openWorld` does it with all families.
   * @throws as {@link openParts}
   */
  static async open(options: WorldOptions, families: Families): Promise<World> {
    const { leave, ...parts } = await openParts(options, families);
    try {
      const world = new World(options, families, parts);
      await world.faults.load();
      world.#shards.begin(world.ads, () =>
        completeJointWrites(parts.databases.platform, [...world.#shards.opened, ...world.#directories(environments)]),
      );
      return world;
    } catch (error) {
      await leave();
      throw error;
    }
  }

  /**
   * Opens the same platform for reading, in a thread beside the one in which it is open already: with connections of its own,
   * no lock, and nothing that writes or that is in the memory of the main thread.
   * @throws DatabaseOpenError
   */
  static async openReading(options: ReadingOptions, families: Families): Promise<World> {
    const world = new World(options, families, await openReadingParts(options));
    forbidInReaders(world);
    return world;
  }

  /**
   * Runs a body in one write of the platform and of environments with their shards: all that it does in the world that it is given is stored, or
   * nothing, also where the process ends in between. Other writes of these stores wait. It may not use the outer world for writes. Shards that do not
   * respond are left out, and cannot be used in it.
   * @throws what the body throws; WriteAbortedError and the like as `Database.write` does
   */
  async jointly<Result>(
    environments: readonly Environment[],
    body: (inside: World) => Promise<Result>,
  ): Promise<Result> {
    const stores = [...(await this.#shards.joining(environments)), ...this.#directories(new Set(environments))];
    const { platform } = this.#databases;
    try {
      return await jointWrite(platform, stores, randomText(systemRandom, 22), (platformInside, others) => {
        const inside = this.#inside(platformInside, others);
        forbidInWrites(inside);
        return body(inside);
      });
    } finally {
      // What is kept beside rows is forgotten by those who write, and they wrote before the commit.
      this.stores.outdateAll();
      this.jobs.wake();
    }
  }

  #directories(of: Iterable<Environment>): JointStore[] {
    return [...of].map((name) => ({ name, database: this.#databases[name] }));
  }

  /** Does some work, for which {@link close} waits. */
  keepOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#closing.keepOpen(work);
  }

  /** Ends a world that only reads. Its nonces stay open. */
  async closeReading(): Promise<void> {
    for (const name of storeNames) await this.#databases[name].close();
  }

  /** The servers of the platform, where its store is on a server. */
  get servers(): PlatformServers | undefined {
    return this.#held?.servers;
  }

  /** Waits for running writes, then closes everything. */
  async close(): Promise<void> {
    if (this.#isVacated) return;
    await this.#closeStores();
    if (!this.#hasOthersNonces) this.nonces.close();
    this.#held?.lock.release();
  }

  /** The place of the world, where it is the one that writes there. */
  get place(): WorldPlace | undefined {
    return this.#held;
  }

  /** Closes the world as {@link close} does, but for its {@link place}, in which a world is to be opened again. */
  async vacate(): Promise<void> {
    this.#isVacated = true;
    await this.#closeStores();
  }

  /** Calls back when the world begins to close. */
  onClose(listener: () => void): void {
    this.#closing.onClose(listener);
  }

  /** Does a work before anything of the world is closed: writes what outlives that. None is done where another state takes its place. */
  beforeClose(work: () => Promise<void>): void {
    this.#closing.beforeClose(work);
  }

  async #closeStores(): Promise<void> {
    await this.#closing.begin({ last: !this.#isVacated });
    const stopped = Promise.all([this.jobs.stop(), this.time.close(), this.faults.close()]);
    await this.#audience.closePeople();
    await stopped;
    await this.#audience.close();
    await this.#held?.servers?.registration.leave();
    await this.#shards.close();
    await this.replicas.close();
    await this.#databases.platform.close();
    await this.shared?.close();
    await this.#ids.close((name, last) => this.#databases[name].close(last));
    this.#held?.marks.close();
  }
}
