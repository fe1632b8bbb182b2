/** Several servers of one platform in one process: on stores of libSQL servers, and one Redis. */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signRequest } from '@broadside/core/auth';
import { type ProxyServer, startProxy } from '@broadside/test-servers/proxy';
import { RedisServer } from '@broadside/test-servers/redis';
import { type Sqld, startSqld } from '@broadside/test-servers/sqld';
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { createServices } from '../../create-services.ts';
import { startSqlServer } from '../../db/testing/sql-server.ts';
import type { Credentials } from '../../demo/credentials.ts';
import { ensureDemo } from '../../demo/demo.ts';
import { World } from '../../open-world.ts';
import type { RateLimitProfile } from '../../pipeline/rate-limiter.ts';
import type { ShardLocation, StoreLocation, StoreName } from '../../world/world-options.ts';
import { RedisLink } from '../redis-link.ts';
import { sharedOver } from '../redis-state.ts';

const BASE = 'http://ads.test';
/** Pages ask for nothing over HTTP elsewhere. */
const PAGES = 'http://127.0.0.1';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request that was signed once, and can be sent to several servers. */
export interface Signed {
  readonly method: Method;
  readonly target: string;
  readonly authorization: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
}

/** One of the servers. */
export interface OneServer {
  readonly world: World;
  readonly link: RedisLink | undefined;
  send(signed: Signed): Promise<Answer>;
  /** Tries to sign in, as a browser does. @returns the status of the page that answers */
  signIn(screen_name: string, password: string): Promise<number>;
}

type Stores = Readonly<Record<StoreName, StoreLocation>>;

interface Replication {
  readonly replicas: readonly Sqld[];
  readonly replication: ProxyServer | undefined;
}

/** See the top of this file. */
export class Servers {
  readonly redis: RedisServer;
  readonly all: readonly OneServer[];
  readonly stores: Stores;
  readonly replicas: readonly Sqld[];
  /** What lies between them and their primary. */
  readonly replication: ProxyServer | undefined;
  readonly #credentials: Credentials;
  readonly #closers: (() => unknown)[];

  private constructor(
    redis: RedisServer,
    all: readonly OneServer[],
    stores: Stores,
    { replicas, replication }: Replication,
    credentials: Credentials,
    closers: (() => unknown)[],
  ) {
    this.redis = redis;
    this.all = all;
    this.stores = stores;
    this.replicas = replicas;
    this.replication = replication;
    this.#credentials = credentials;
    this.#closers = closers;
  }

  /** Starts them. */
  static async start(count: number, options: ServersOptions): Promise<Servers> {
    const directory = mkdtempSync(path.join(tmpdir(), 'broadside-shared-'));
    const redis = await RedisServer.start();
    const closers: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true }), () => redis.close()];
    const [shard] = options.shards ?? [];
    const replicated = shard ?? 'sandbox';
    const replicas: Sqld[] = [];
    const replication: ProxyServer[] = [];
    const store = async (name: StoreName | `shard-${string}`) => {
      if (options.replicas !== undefined && name === (shard === undefined ? 'sandbox' : `shard-${shard}`)) {
        const primary = await startSqld({ directory: path.join(directory, name), isReplicated: true });
        closers.push(() => primary.close());
        const proxy = await startProxy(Number(new URL(primary.replicationUrl ?? '').port));
        closers.push(() => proxy.close());
        replication.push(proxy);
        const source = { replicationUrl: `http://127.0.0.1:${proxy.port}` };
        while (replicas.length < options.replicas) {
          const at = path.join(directory, `replica ${replicas.length}`);
          const replica = await startSqld({ directory: at, primary: source });
          closers.push(() => replica.close());
          replicas.push(replica);
        }
        return { url: primary.url };
      }
      const seen = (texts: readonly string[]) => options.seen?.(name, texts);
      const server = await startStore[options.stores ?? 'emulator'](path.join(directory, name), seen);
      closers.push(() => server.close());
      return { url: server.url };
    };
    const stores = {
      platform: await store('platform'),
      production: await store('production'),
      sandbox: await store('sandbox'),
    };
    const shards: ShardLocation[] = [];
    for (const name of options.shards ?? []) shards.push({ name, ...(await store(`shard-${name}`)) });
    const all: OneServer[] = [];
    for (let index = 0; index < count; index++) {
      const link = options.isShared !== false ? await RedisLink.open({ url: redis.url }) : undefined;
      const read = replicas.map(({ url }) => url);
      const at = { stores, shards, replicas: read, replicated };
      all.push(await openServer(path.join(directory, `${index}`), at, link, options.rateLimits, closers));
      const first = all[0];
      if (index === 0 && first) await ensureDemo(first.world, { api: BASE, ads: BASE, sandbox: BASE });
    }
    const credentials = JSON.parse(readFileSync(path.join(directory, '0', 'credentials.json'), 'utf8'));
    return new Servers(redis, all, stores, { replicas, replication: replication[0] }, credentials, closers);
  }

  /** Signs a request of the demo's person. @param ahead_s of the present time */
  async sign(method: Method, target: string, ahead_s = 0, token: TokenPair = this.#credentials): Promise<Signed> {
    const { authorization } = await signRequest({
      method,
      url: BASE + target,
      credentials: {
        consumerKey: this.#credentials.consumer_key,
        consumerSecret: this.#credentials.consumer_secret,
        token: token.access_token,
        tokenSecret: token.access_token_secret,
      },
      nonce: randomUUID(),
      timestamp: Math.floor(Date.now() / 1000) + ahead_s,
      hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
    });
    return { method, target, authorization };
  }

  /** Signs a request and sends it to one server. */
  async call(index: number, method: Method, target: string, ahead_s?: number): Promise<Answer> {
    return this.at(index).send(await this.sign(method, target, ahead_s));
  }

  at(index: number): OneServer {
    const server = this.all[index];
    if (!server) throw new RangeError(`there is no server ${index}`);
    return server;
  }

  get credentials(): Credentials {
    return this.#credentials;
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }
}

/** The servers of stores: our own in this process, or the real one. */
const startStore = {
  emulator: (at: string, hold: (texts: readonly string[]) => Promise<void> | undefined) =>
    startSqlServer({ path: `${at}.db`, hold }),
  sqld: (at: string) => startSqld({ directory: at }),
};

export interface ServersOptions {
  readonly rateLimits: RateLimitProfile;
  readonly stores?: keyof typeof startStore;
  /** Called with the statements of each request to a store, which is answered when it resolves; only of our own server of stores. */
  readonly seen?: (store: StoreName | `shard-${string}`, texts: readonly string[]) => Promise<void> | undefined;
  /** Names of shards of the sandbox. */
  readonly shards?: readonly string[];
  /** The number of replicas of the first shard, or of the sandbox, which all of them read; of the real server of stores. */
  readonly replicas?: number;
  /** False for servers that remember nothing and share nothing. */
  readonly isShared?: boolean;
}

/** A token and its secret. */
export interface TokenPair {
  readonly access_token: string;
  readonly access_token_secret: string;
}

/** Where the data of a server are. */
interface Places {
  readonly stores: Stores;
  readonly shards: readonly ShardLocation[];
  readonly replicas: readonly string[];
  /** The name of the shard that they are replicas of, or the sandbox. */
  readonly replicated: string;
}

async function openServer(
  dataDirectory: string,
  { stores, shards, replicas, replicated }: Places,
  link: RedisLink | undefined,
  rateLimits: RateLimitProfile,
  closers: (() => unknown)[],
): Promise<OneServer> {
  const world = await World.open({
    dataDirectory,
    secretKeys: [new Uint8Array(32).fill(7)],
    stores,
    ...(shards.length === 0 ? {} : { shards: { sandbox: shards } }),
    replicas: { sandbox: replicas.map((url) => (replicated === 'sandbox' ? { url } : { shard: replicated, url })) },
    media: { directory: path.join(dataDirectory, '..', 'media'), isShared: true },
    shared: link && sharedOver(link),
  });
  const services = createServices(world, { rateLimits, operatorToken: undefined });
  const app = createApp({ services, listener: 'sandbox', baseUrl: BASE, logger: pino({ level: 'silent' }) });
  const pages = createApp({ services, listener: 'api', baseUrl: PAGES, logger: pino({ level: 'silent' }) });
  closers.push(async () => {
    await pages.close();
    await app.close();
    await world.close();
    link?.close();
  });
  const send = async ({ method, target, authorization }: Signed): Promise<Answer> => {
    const { statusCode, body, headers } = await app.inject({ method, url: target, headers: { authorization } });
    const wait = headers['retry-after'];
    return { status: statusCode, body, retryAfter: wait === undefined ? undefined : String(wait) };
  };
  const signIn = async (screen_name: string, password: string) => {
    const page = await pages.inject({ method: 'GET', url: '/sign-in' });
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const cookies = Object.fromEntries(page.cookies.map(({ name, value }) => [name, value]));
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: PAGES };
    const payload = new URLSearchParams({ csrf, screen_name, password }).toString();
    return (await pages.inject({ method: 'POST', url: '/sign-in', headers, cookies, payload })).statusCode;
  };
  return { world, link, send, signIn };
}
