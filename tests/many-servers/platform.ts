/** A platform of several servers, each part of it a process that can be killed and stopped. */
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rateBuckets } from '@broadside/core';
import { type Credentials, World } from '@broadside/server';
import { freePort } from '@broadside/test-servers/free-port';
import { noRedis, RedisServer } from '@broadside/test-servers/redis';
import { S3Process } from '@broadside/test-servers/s3-process';
import { type Sqld, sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { openDatabase } from '../../apps/server/src/db/open-database.ts';
import { beginMarks } from '../../apps/server/src/db/store-identity.ts';
import { RedisLink } from '../../apps/server/src/shared/redis-link.ts';
import { sharedOver } from '../../apps/server/src/shared/redis-state.ts';
import type { Environment } from '../../apps/server/src/world/environment.ts';
import { ownAddress, ServerProcess } from '../src/support/server-process.ts';
import { Machine } from './machine.ts';
import { Network } from './network.ts';

/** Why a platform cannot be started here; `undefined` where it can. */
export const cannotStart: string | undefined = noRedis ?? sqldMissing();

/** The addresses that all servers have for clients, as behind a load balancer. */
export const BASES = { api: 'http://api.test', ads: 'http://ads.test', sandbox: 'http://sandbox.test' } as const;
export type Listener = keyof typeof BASES;

/** The number of requests to {@link LIMITED} that are accepted of each user in a day. */
export const LIMIT = 40;
const LIMITED = 'ads.targeting_lookup';

const BUCKET = 'media';
const S3_KEYS = { accessKeyId: 'access', secretAccessKey: 'secret' };
const SECRET_KEY = Buffer.alloc(32, 7);
/** The token of the operator of these servers. */
export const OPERATOR_TOKEN = 'operator-token-of-at-least-24-characters';
/** Lines of each log that are shown when something fails. */
const FAILURES = 20;
const REFUSALS = 5;

/** One process. */
export interface Part {
  readonly name: string;
  readonly kind: 'server' | 'store' | 'redis' | 'media';
  /** What `/ready` of the servers says of it while it is away; `undefined` where they serve all the same. */
  readonly named?: RegExp;
  /** The shard that it is, such as `sandbox/shard-1`. While it is away servers are ready, and only its accounts are not served. */
  readonly shard?: string;
  /** Ends it with SIGKILL. */
  kill(): Promise<unknown>;
  /** Starts it again after that. */
  start(): Promise<unknown>;
  /** SIGSTOP. */
  stop(): Promise<unknown>;
  /** SIGCONT. */
  resume(): void;
}

/** One of the servers. */
export class ServerPart implements Part {
  readonly kind = 'server';
  readonly name: string;
  readonly #directory: string;
  #env: Readonly<Record<string, string>>;
  #process: ServerProcess | undefined;
  #ports: Readonly<Record<Listener, string>> | undefined;

  constructor(name: string, directory: string, env: Readonly<Record<string, string>>) {
    this.name = name;
    this.#directory = directory;
    this.#env = env;
  }

  /** Starts it, on the ports that it had before. */
  async start(): Promise<void> {
    const port = async () => `${await freePort(ownAddress.BROADSIDE_HOST)}`;
    this.#ports ??= { api: await port(), ads: await port(), sandbox: await port() };
    const { api, ads, sandbox } = this.#ports;
    const ports = { BROADSIDE_API_PORT: api, BROADSIDE_ADS_PORT: ads, BROADSIDE_SANDBOX_PORT: sandbox };
    const log = openSync(this.#log, 'a');
    try {
      this.#process = await ServerProcess.start(this.#directory, { ...this.#env, ...ports }, log);
    } finally {
      closeSync(log);
    }
  }

  /** The end of its log, of all its starts: what it answered 500 for, with the stacks, and the last that it answered 503 for. */
  get failures(): string {
    const lines = readFileSync(this.#log, 'utf8').split('\n');
    const isRefusal = (line: string) => line.includes('SERVICE_UNAVAILABLE');
    const failures = lines.filter((line) => line !== '' && !isRefusal(line)).slice(-FAILURES);
    const shown = [...failures, ...lines.filter(isRefusal).slice(-REFUSALS)];
    return shown.length === 0 ? '' : `\n${this.name} logged\n${shown.join('\n')}`;
  }

  get #log(): string {
    return `${this.#directory}.log`;
  }

  async kill(): Promise<void> {
    await this.#process?.end('SIGKILL');
    this.#process = undefined;
  }

  async stop(): Promise<void> {
    this.#process?.signal('SIGSTOP');
  }

  resume(): void {
    this.#process?.signal('SIGCONT');
  }

  /** Ends it in its own way. @returns its exit code */
  async end(): Promise<number | null> {
    const ended = await this.#process?.end('SIGTERM');
    this.#process = undefined;
    return ended?.code ?? null;
  }

  /** Ends it, and starts it with further settings, which it keeps. */
  async restartWith(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.end();
    this.#env = { ...this.#env, ...settings };
    await this.start();
  }

  /** Where it listens. */
  addressOf(listener: Listener): { readonly host: string; readonly port: string } {
    return { host: ownAddress.BROADSIDE_HOST, port: this.#ports?.[listener] ?? '' };
  }

  /** The id of its process. @throws Error where it does not run */
  get pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error(`${this.name} does not run`);
    return pid;
  }

  get credentials(): Credentials {
    if (this.#process === undefined) throw new Error(`${this.name} does not run`);
    return this.#process.credentials;
  }
}

/** See the top of this file. */
export class Platform implements AsyncDisposable {
  readonly servers: readonly ServerPart[];
  /** All parts, the servers first. */
  readonly parts: readonly Part[];
  readonly credentials: Credentials;
  /** The world of the platform as a command has it, which works in its stores and serves nobody. */
  readonly world: World;
  /** The address of the server of the platform store. */
  readonly platformStore: string;
  /** The server of the store of the sandbox, which takes replicas where servers have networks. */
  readonly sandboxStore: Sqld;
  /** The networks of the servers to stores and Redis, in the order of the servers; empty where they are connected directly. */
  readonly networks: readonly Network[];
  /** The machine that all of it runs on. */
  readonly machine: Machine;
  /** The addresses of the stores of advertising data, and of their shards. */
  readonly #accountStores: readonly string[];
  readonly #closers: readonly (() => unknown)[];

  /** For {@link Platform.start}. */
  constructor(
    servers: readonly ServerPart[],
    others: readonly Part[],
    world: World,
    stores: { readonly platform: Sqld; readonly sandbox: Sqld; readonly ofAccounts: readonly string[] },
    networks: readonly Network[],
    machine: Machine,
    closers: readonly (() => unknown)[],
  ) {
    const [first] = servers;
    if (first === undefined) throw new RangeError('a platform has a server');
    this.servers = servers;
    this.parts = [...servers, ...others];
    this.credentials = first.credentials;
    this.world = world;
    this.platformStore = stores.platform.url;
    this.sandboxStore = stores.sandbox;
    this.networks = networks;
    this.machine = machine;
    this.#accountStores = stores.ofAccounts;
    this.#closers = closers;
  }

  /** The names of the shards that accounts of an environment are spread over. */
  shardsOf(environment: Environment): readonly string[] {
    return this.parts.flatMap(({ shard }) => (shard?.startsWith(`${environment}/`) ? shard : []));
  }

  /**
   * Starts one, with all its servers at the same moment.
   * @param count of servers
   * @param shards that accounts of each environment are spread over
   * @param hasNetwork each server has a network of its own, which can be made slower
   */
  static async start(count: number, shards = 0, hasNetwork = false): Promise<Platform> {
    const directory = mkdtempSync(path.join(tmpdir(), 'broadside-many-servers-'));
    const closers: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true })];
    try {
      return await startIn(directory, { count, shards, hasNetwork }, closers);
    } catch (error) {
      for (const close of closers.toReversed()) await close();
      throw error;
    }
  }

  /** Has commits of account data marked from now on, as where stores have replicas: after each, Redis is told of it. */
  async markCommits(): Promise<void> {
    for (const url of this.#accountStores) {
      const database = await openDatabase(url);
      try {
        await beginMarks(database);
      } finally {
        await database.close();
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }
}

async function startIn(
  directory: string,
  {
    count,
    shards: shardCount,
    hasNetwork,
  }: { readonly count: number; readonly shards: number; readonly hasNetwork: boolean },
  closers: (() => unknown)[],
): Promise<Platform> {
  const store = async (name: string, setting: string, shard?: string) => {
    const server = await startSqld({
      directory: path.join(directory, name.replace('/', '-')),
      isReplicated: hasNetwork,
    });
    closers.push(() => server.close());
    const part: Part = {
      name: `${name} store`,
      kind: 'store',
      ...(shard === undefined ? { named: new RegExp(`"${name}|${setting}`) } : { named: shardNamed(shard), shard }),
      kill: () => server.kill(),
      start: () => server.start(),
      stop: () => server.stop(),
      resume: () => server.resume(),
    };
    return { setting, url: server.url, part, server };
  };
  const stores = {
    platform: await store('platform', 'BROADSIDE_DATABASE_URL'),
    production: await store('production', 'BROADSIDE_ADS_DATABASE_URL'),
    sandbox: await store('sandbox', 'BROADSIDE_SANDBOX_DATABASE_URL'),
  };
  const shardNames = Array.from({ length: shardCount }, (_, i) => `shard-${i + 1}`);
  const shardsOf = (environment: Environment, setting: string) =>
    Promise.all(
      shardNames.map(async (name) => {
        const shard = `${environment}/${name}`;
        return { name, ...(await store(shard, setting, shard)) };
      }),
    );
  const shards = {
    production: await shardsOf('production', 'BROADSIDE_ADS_SHARDS'),
    sandbox: await shardsOf('sandbox', 'BROADSIDE_SANDBOX_SHARDS'),
  };
  const allShards = Object.values(shards).flat();
  const redis = await RedisServer.start();
  closers.push(() => redis.close());
  const keys = { ...S3_KEYS, bucket: BUCKET, region: 'us-east-1' };
  const media = await S3Process.start({ ...keys, directory: path.join(directory, 'objects') });
  closers.push(() => media.kill());
  const mediaUrl = `s3://${BUCKET}?endpoint=${encodeURIComponent(media.url)}&style=path&region=us-east-1`;
  const env = {
    ...ownAddress,
    BROADSIDE_LOG_LEVEL: 'error',
    ...Object.fromEntries(Object.values(stores).map(({ setting, url }) => [setting, url])),
    ...Object.fromEntries(
      Object.values(shards).flatMap((own) =>
        own[0] === undefined ? [] : [[own[0].setting, own.map(({ name, url }) => `${name}=${url}`).join()]],
      ),
    ),
    BROADSIDE_SHARED_URL: redis.url,
    BROADSIDE_SECRET_KEY: SECRET_KEY.toString('base64'),
    BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    BROADSIDE_MEDIA_URL: mediaUrl,
    BROADSIDE_MEDIA_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    BROADSIDE_MEDIA_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    BROADSIDE_BASE_URL: BASES.api,
    BROADSIDE_ADS_BASE_URL: BASES.ads,
    BROADSIDE_ADS_SANDBOX_BASE_URL: BASES.sandbox,
    BROADSIDE_RATE_LIMITS: rateLimits(),
    // One user uploads as long as the run takes.
    BROADSIDE_QUOTAS: 'unused_media=1000000',
  };
  const networks = hasNetwork ? Array.from({ length: count }, () => new Network()) : [];
  for (const network of networks) closers.push(() => network.close());
  const servers = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const own = (await networks[i]?.before(env)) ?? env;
      return new ServerPart(`server ${i}`, path.join(directory, `server-${i}`), own);
    }),
  );
  for (const server of servers) closers.push(() => server.kill());
  await Promise.all(servers.map((server) => server.start()));
  const link = await RedisLink.open({ url: redis.url });
  closers.push(() => link.close());
  const machine = await Machine.watch(directory);
  closers.push(() => machine.end());
  mkdirSync(path.join(directory, 'command'));
  const world = await World.open({
    dataDirectory: path.join(directory, 'command'),
    secretKeys: [SECRET_KEY],
    stores,
    ...(allShards.length === 0 ? {} : { shards }),
    media: { url: mediaUrl, credentials: S3_KEYS },
    shared: sharedOver(link),
  });
  closers.push(() => world.close());
  const others: Part[] = [
    ...[...Object.values(stores), ...allShards].map(({ part }) => part),
    {
      name: 'Redis',
      kind: 'redis',
      named: /BROADSIDE_SHARED_URL/,
      kill: () => redis.kill(),
      start: () => redis.restart(),
      stop: async () => redis.freeze(),
      resume: () => redis.thaw(),
    },
    {
      name: 'object store',
      kind: 'media',
      kill: () => media.kill(),
      start: () => media.restart(),
      stop: async () => media.freeze(),
      resume: () => media.thaw(),
    },
  ];
  return new Platform(
    servers,
    others,
    world,
    {
      platform: stores.platform.server,
      sandbox: stores.sandbox.server,
      ofAccounts: [stores.production, stores.sandbox, ...allShards].map(({ url }) => url),
    },
    networks,
    machine,
    closers,
  );
}

/** What `/ready` says while a shard is away. */
function shardNamed(shard: string): RegExp {
  return new RegExp(`"${shard}"`);
}

/** As many requests as the load likes, except of one kind. */
function rateLimits(): string {
  const figures = Object.keys(rateBuckets).map((name) => `${name}=${name === LIMITED ? LIMIT : 100_000_000}/86400`);
  return figures.join(',');
}
