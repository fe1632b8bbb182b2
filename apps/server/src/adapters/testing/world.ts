/** A demo world behind its three listeners, in process, for the tests of the adapters. */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Pair, signRequest } from '@broadside/core/auth';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createApp, type ListenerName } from '../../app.ts';
import { createServices } from '../../create-services.ts';
import type { Credentials } from '../../demo/credentials.ts';
import { ensureDemo } from '../../demo/demo.ts';
import type { Dialects } from '../../dialects/dialects.ts';
import { usualJournal } from '../../journal/records.ts';
import { World } from '../../open-world.ts';
import type { Services } from '../../pipeline/execute.ts';
import type { RateLimitProfile } from '../../pipeline/rate-limiter.ts';

export const OPERATOR_TOKEN = 'the-operator-of-this-test';
export const origins: Readonly<Record<ListenerName, string>> = {
  api: 'http://127.0.0.1:8000',
  ads: 'http://127.0.0.1:8001',
  sandbox: 'http://127.0.0.1:8002',
};

/** A recorded request and its response. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export class AdapterWorld {
  readonly world: World;
  readonly services: Services;
  readonly apps: Readonly<Record<ListenerName, FastifyInstance>>;
  readonly credentials: Credentials;
  /** Lines of the log, parsed. */
  readonly log: unknown[];
  readonly exchanges: Exchange[] = [];
  readonly #directory: string;

  private constructor(
    directory: string,
    world: World,
    services: Services,
    credentials: Credentials,
    dialects: Dialects | undefined,
  ) {
    this.#directory = directory;
    this.world = world;
    this.services = services;
    this.credentials = credentials;
    const log: unknown[] = [];
    this.log = log;
    const logger = pino({ level: 'error' }, { write: (line: string) => void log.push(JSON.parse(line)) });
    const app = (listener: ListenerName) => createApp({ services, listener, dialects: dialects?.of(listener), logger });
    this.apps = { api: app('api'), ads: app('ads'), sandbox: app('sandbox') };
  }

  static async open(
    options: Partial<Pick<Services, 'handlerOf' | 'proofs'>> = {},
    dialects?: Dialects,
    rateLimits: RateLimitProfile = {},
  ): Promise<AdapterWorld> {
    const directory = mkdtempSync(path.join(tmpdir(), 'broadside-adapters-'));
    const world = await World.open({ dataDirectory: directory, kept: { freeze: true } });
    const platformUrl = (reached: string) => dialects?.platformUrl(reached) ?? reached;
    const listenerUrl: Services['listenerUrl'] = (listener, reached) => dialects?.listenerUrl(listener, reached);
    const services = {
      ...createServices(world, {
        rateLimits,
        operatorToken: OPERATOR_TOKEN,
        platformUrl,
        listenerUrl,
        journal: usualJournal,
      }),
      ...options,
    };
    await ensureDemo(world, origins, { advertisement: dialects !== undefined });
    const credentials: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
    return new AdapterWorld(directory, world, services, credentials, dialects);
  }

  /** `fetch` that calls a listener by the origin of the URL; requests are signed for the demo user unless `sign` is false. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}, sign = false): Promise<Response> => {
    const url = String(input);
    const listener = (Object.keys(origins) as ListenerName[]).find((name) => url.startsWith(origins[name]));
    if (!listener) throw new TypeError(`no listener at ${url}`);
    const method = init.method ?? 'GET';
    const headers = new Headers(init.headers);
    headers.set('host', new URL(origins[listener]).host);
    if (sign) headers.set('authorization', await this.sign(method, url));
    const response = await this.apps[listener].inject({
      method: method as 'GET',
      url: url.slice(origins[listener].length),
      headers: Object.fromEntries(headers),
      ...(typeof init.body === 'string' ? { payload: init.body } : {}),
    });
    const responseHeaders = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) responseHeaders.set(name, String(value));
    this.exchanges.push({ method, url, status: response.statusCode, headers: responseHeaders, text: response.payload });
    return new Response(response.payload, { status: response.statusCode, headers: responseHeaders });
  };

  /** Returns the header with which the demo user signs a request. @param form the pairs of its form body */
  async sign(method: string, url: string, form: readonly Pair[] = []): Promise<string> {
    const { consumer_key, consumer_secret, access_token, access_token_secret } = this.credentials;
    const { authorization } = await signRequest({
      method,
      url,
      form,
      credentials: {
        consumerKey: consumer_key,
        consumerSecret: consumer_secret,
        token: access_token,
        tokenSecret: access_token_secret,
      },
      nonce: randomUUID(),
      timestamp: Math.floor(Date.now() / 1000),
      hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
    });
    return authorization;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.apps).map((app) => app.close()));
    await this.world.close();
    rmSync(this.#directory, { recursive: true });
  }
}
