/**
 * Worlds with readers, as a server of several threads has them: each has connections of its own, reads only, and learns of writes
 * by the memory that it shares with the main world. They are in one thread here, so that they share the clock that the test holds;
 * real threads race in `apps/server/src/threads`.
 */
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseJson } from '@broadside/core';
import { type ListenerName, listenerNames, systemRandom, World } from '@broadside/server';
import {
  type Answer,
  type CreateWorldOptions,
  createWorld,
  type TestWorld,
  type WireRequest,
} from '@broadside/testkit';
import { expect } from 'vitest';
import { NonceRegistry } from '../../../apps/server/src/auth/nonces.ts';
import { createServices } from '../../../apps/server/src/create-services.ts';
import { readerRoute } from '../../../apps/server/src/reader-route.ts';
import { ReaderNonces } from '../../../apps/server/src/threads/reader-nonces.ts';
import { createSharedMemory, type SharedMemory } from '../../../apps/server/src/threads/shared-memory.ts';

const READERS = 2;
/** The answer of a reader that leaves a request to the main world. */
const PASSED_ON = 'x-passed-on';

/** The numbers of requests that readers have answered, and passed on. */
export const readings = { answered: 0, passedOn: 0 };

/** Creates a world whose GETs are sent to readers in turn. */
export async function createReadWorld(options: CreateWorldOptions): Promise<TestWorld> {
  const shared = createSharedMemory(READERS + 1, systemRandom);
  const world = await sharing(shared, () => createWorld(options));
  let readers = await openReaders(world, options, shared);
  const { send, reopen, close } = world;
  let turn = 0;
  world.send = async (listener, sent) => {
    const reader = readers[turn++ % readers.length];
    const answer = sent.method === 'GET' && sent.body === undefined ? await reader?.send(listener, sent) : undefined;
    if (answer === undefined) return send.call(world, listener, sent);
    options.onAnswer?.({ listener, method: sent.method, path: new URL(sent.url).pathname, answer });
    return answer;
  };
  world.reopen = async () => {
    for (const reader of readers) await reader.close();
    await sharing(shared, () => reopen.call(world));
    readers = await openReaders(world, options, shared);
  };
  world.close = async () => {
    for (const reader of readers) await reader.close();
    await close.call(world);
  };
  return world;
}

/** Opens worlds that share their nonces with readers. */
async function sharing<Result>(shared: SharedMemory, open: () => Promise<Result>): Promise<Result> {
  const original = World.open;
  World.open = (options) => original.call(World, { ...options, sharedNonces: shared });
  try {
    return await open();
  } finally {
    World.open = original;
  }
}

function openReaders(world: TestWorld, options: CreateWorldOptions, shared: SharedMemory): Promise<Reader[]> {
  return Promise.all(Array.from({ length: READERS }, (_, i) => Reader.open(world, options, shared, i + 1)));
}

class Reader {
  readonly #world: World;
  readonly #servers: ReadonlyMap<ListenerName, Server>;
  readonly #failures: readonly unknown[];
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(world: World, servers: ReadonlyMap<ListenerName, Server>, failures: readonly unknown[]) {
    this.#world = world;
    this.#servers = servers;
    this.#failures = failures;
  }

  static async open(
    main: TestWorld,
    { mode = 'development', operatorToken }: CreateWorldOptions,
    shared: SharedMemory,
    thread: number,
  ): Promise<Reader> {
    const { clock, wallClock, directory, urls, platform } = main;
    const { nonces: registry, stores, platformKey, faults } = platform;
    if (!(registry instanceof NonceRegistry)) throw new TypeError('the main world keeps the nonces');
    const nonces = new ReaderNonces({
      directory: path.join(directory, 'nonces'),
      shared: shared.nonces,
      grant: shared.grant,
      report: (written) => registry.absorb(written),
    });
    const world = await World.openReading({
      dataDirectory: directory,
      clock,
      wallClock,
      generations: stores.generations,
      platformKey,
      time: platform.time.buffer,
      faults: faults.memory,
      nonces,
      kept: { freeze: true },
    });
    const services = createServices(world, { rateLimits: 'off', operatorToken, mode, platformUrl: () => urls.api });
    const failures: unknown[] = [];
    const servers = new Map<ListenerName, Server>();
    for (const listener of listenerNames) {
      const route = readerRoute({
        services,
        listener,
        baseUrl: urls[listener],
        host: '127.0.0.1',
        logger: loggerOf(failures),
        thread,
        onFinish: () => {},
        pass: (_, response) => response.writeHead(421, { [PASSED_ON]: '1' }).end(),
      });
      // A connection that the server ended for idleness, just when a slow test uses it again, would be reset.
      const server = createServer({ keepAliveTimeout: 0 }, route).listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.set(listener, server);
    }
    return new Reader(world, servers, failures);
  }

  /** Sends a request to the reader. @returns its answer; `undefined` when it leaves it to the main world */
  async send(listener: ListenerName, { url, headers }: WireRequest): Promise<Answer | undefined> {
    const at = this.#servers.get(listener)?.address();
    if (typeof at !== 'object' || at === null) throw new TypeError('the reader listens');
    const [, host = '', target = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/s.exec(url) ?? [];
    const sent = httpRequest({
      agent: this.#agent,
      host: at.address,
      port: at.port,
      path: target,
      headers: { host, ...headers },
    });
    const received = once(sent, 'response');
    sent.end();
    const [response]: IncomingMessage[] = await received;
    if (!response) throw new TypeError('there is a response');
    const bytes = await buffer(response);
    if (response.headers[PASSED_ON] !== undefined) {
      readings.passedOn += 1;
      return undefined;
    }
    readings.answered += 1;
    const text = bytes.toString();
    const found = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return { status: response.statusCode ?? 0, headers: Object.fromEntries(found), text, bytes, body: jsonOf(text) };
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    for (const server of this.#servers.values()) {
      server.close();
      server.closeAllConnections();
    }
    await this.#world.closeReading();
    this.#world.nonces.close();
    expect(this.#failures).toEqual([]);
  }
}

/** A logger that keeps errors and drops everything else. */
export function loggerOf(failures: unknown[]): Parameters<typeof readerRoute>[0]['logger'] {
  const drop = () => {};
  const keep = (...line: unknown[]) => {
    failures.push(line[0]);
  };
  const logger: Parameters<typeof readerRoute>[0]['logger'] = {
    level: 'error',
    fatal: keep,
    error: keep,
    warn: drop,
    info: drop,
    debug: drop,
    trace: drop,
    silent: drop,
    child: () => logger,
  };
  return logger;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
