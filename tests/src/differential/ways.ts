/**
 * The ways on which a read can be answered: directly in front of the framework, behind the framework, and where every read of a
 * store is a promise and nothing is kept in memory. Each has its own rate limits, and its own lines in the log.
 */
import { Agent, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp, createServices, type ListenerName } from '@broadside/server';
import type { TestWorld, WireRequest } from '@broadside/testkit';

export const wayNames = ['direct', 'framework', 'waiting'] as const;
export type WayName = (typeof wayNames)[number];

/** A response with everything that may not differ between ways. */
export interface Seen {
  readonly status: number;
  /** In their order, with the values of all but those that each response has of its own. */
  readonly headers: readonly string[];
  readonly body: string;
  /** The line in the log, without the id and the time that it took. */
  readonly line: Readonly<Record<string, unknown>>;
}

/** One way, on one listener. */
export interface Way {
  send(request: WireRequest): Promise<Seen>;
  /** The number of requests that the framework has seen. */
  readonly framed: number;
  readonly port: number;
  close(): Promise<void>;
}

type Logger = AppOptions['logger'];

/** Collects the records of the log. */
export function collector(records: Readonly<Record<string, unknown>>[]): Logger {
  const drop = () => {};
  const keep = (record: unknown) => {
    if (typeof record === 'object' && record !== null) records.push({ ...record });
  };
  const logger: Logger = {
    level: 'info',
    fatal: keep,
    error: keep,
    warn: keep,
    info: keep,
    debug: drop,
    trace: drop,
    silent: drop,
    child: () => logger,
  };
  return logger;
}

/** Opens a listener of a world on a free port, as it is reached on one of the ways. */
export async function openWay(world: TestWorld, name: WayName, listener: ListenerName): Promise<Way> {
  const services = createServices(world.platform, {
    rateLimits: {},
    operatorToken: undefined,
    platformUrl: () => world.urls.api,
    listenerUrl: (name) => world.urls[name],
  });
  const records: Readonly<Record<string, unknown>>[] = [];
  const app = createApp({ services, listener, baseUrl: world.urls[listener], logger: collector(records) });
  let framed = 0;
  app.addHook('onRequest', (_request, _reply, done) => {
    framed++;
    done();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = app.server.address() as AddressInfo;
  const waiting = name === 'waiting' ? slowDown(world) : undefined;
  return {
    get framed() {
      return framed;
    },
    port,
    async send({ method, url, headers, body }) {
      records.length = 0;
      if (waiting) waiting.on = true;
      const all = name === 'direct' ? headers : forFramework(method, headers, body !== undefined);
      const seen = await exchange(agent, port, method, url.slice(new URL(url).origin.length), all, body);
      if (waiting) waiting.on = false;
      const line = await lineOf(records);
      return { ...seen, line };
    },
    async close() {
      agent.destroy();
      await app.close();
    },
  };
}

/** Headers of the same meaning with which the direct route leaves a request to the framework. */
function forFramework(method: string, headers: WireRequest['headers'], hasBody: boolean): WireRequest['headers'] {
  if (method === 'GET' || method === 'HEAD') return { ...headers, 'content-length': '0' };
  if (!hasBody) return { ...headers, 'transfer-encoding': 'chunked' };
  const type = headers['content-type'] ?? '';
  // Others are the framework's, and errors repeat them.
  return DIRECT_TYPE.test(type) ? { ...headers, 'content-type': `${type}; way=framework` } : headers;
}

const DIRECT_TYPE = /^application\/(?:json|x-www-form-urlencoded)/i;

/** The line of the request, which is written once the response is on its way. */
async function lineOf(records: readonly Readonly<Record<string, unknown>>[]): Promise<Seen['line']> {
  for (let turns = 0; turns < 1000; turns++) {
    const found = records.find((record) => 'request' in record);
    if (found) {
      const { request, ms, ...line } = found;
      if (typeof request !== 'string' || !/^[0-9a-z]{10}-[0-9a-z]+$/.test(request))
        throw new TypeError('a line without an id');
      if (typeof ms !== 'number') throw new TypeError('a line without a time');
      return { ...line, failures: records.length - 1 };
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  // A path with a parameter that is too long is rejected before it has a route, and is not logged.
  return { records: records.length };
}

function exchange(
  agent: Agent,
  port: number,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: WireRequest['body'],
): Promise<Omit<Seen, 'line'>> {
  return new Promise((resolve, reject) => {
    // Node announces the length of a body by itself with some methods only.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { agent, host: '127.0.0.1', port, method, path: target, headers: { ...headers, ...length } };
    const sent = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const fields = response.rawHeaders.map((field, at) =>
          at % 2 === 1 && OWN.has(response.rawHeaders[at - 1]) ? '' : field,
        );
        resolve({ status: response.statusCode ?? 0, headers: fields, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Headers that differ from response to response. */
const OWN: ReadonlySet<string | undefined> = new Set(['Date', 'x-request-id']);

type Database = TestWorld['platform']['ads']['sandbox']['database'];

function isDatabase(reader: object): reader is Database {
  return 'generations' in reader;
}

/** A switch: while it is on, every read of a store is a promise, and whatever was kept in memory is outdated. */
function slowDown({ platform }: TestWorld): { on: boolean } {
  const state = { on: false };
  let generation = 2 ** 30;
  const { ads, seeds } = platform;
  for (const database of [ads.production.database, ads.sandbox.database, seeds.reader]) {
    const read = database.read.bind(database);
    database.read = (...query) =>
      state.on ? new Promise((resolve) => setImmediate(resolve)).then(() => read(...query)) : read(...query);
    if (!isDatabase(database)) throw new TypeError('a store that keeps no generations');
    const { generations } = database;
    const now = generations.read.bind(generations);
    generations.read = (slot) => {
      if (!state.on) return now(slot);
      generation += 2;
      return generation;
    };
  }
  return state;
}
