/** The sockets of a server: opened by its settings, or inherited. */
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressSettings } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import { errorCode, errorText } from '../error-text.ts';
import type { AppName, ListenerName } from '../listener-name.ts';
import { findServer } from '../place/server-file.ts';
import { descriptorOf, type ListeningSockets } from './inherited-sockets.ts';

/** A listener could not be opened. The message names the address and the setting. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** An address to listen on. */
export interface Place {
  readonly host: string;
  readonly port: number;
  /** The settings that it comes from. */
  readonly settings: readonly string[];
  /** The listener, where it is one of those with base URLs. */
  readonly name?: AppName;
}

const platform: readonly ListenerName[] = ['api', 'ads', 'sandbox'];

/** Has the applications of the main thread listen. */
export class Listeners {
  readonly #config: Config;
  readonly #threads: number;
  readonly #servers: { readonly name: AppName; readonly server: Server }[] = [];
  /** Inherited sockets beyond the first of a listener that no other thread listens on. */
  readonly #more: Server[] = [];
  /** Copies of inherited sockets, by the number of the thread that they are for. */
  readonly #standIns = new Map<number, Server[]>();

  /** @param threads that listen on the same ports, this one included */
  constructor(config: Config, threads: number) {
    this.#config = config;
    this.#threads = threads;
  }

  /** The sockets outlive this process: somebody else holds them. */
  get areLasting(): boolean {
    return this.#config.inherited?.from === 'manager';
  }

  /** The sockets of this thread. */
  get sockets(): ListeningSockets {
    const sockets: Record<AppName, number[]> = { api: [], ads: [], sandbox: [], control: [] };
    for (const { name, server } of this.#servers) {
      const descriptor = descriptorOf(server);
      if (descriptor !== undefined) sockets[name].push(descriptor);
    }
    return sockets;
  }

  /**
   * Verifies that all ports can be listened on, before anything is written. Sockets that share a port do not find out by themselves
   * that another server of this user shares it.
   * @param hasControl whether the one that controls worlds is opened
   * @param others further places that are listened on
   * @throws ListenError
   */
  async check(hasControl: boolean, others: readonly Place[]): Promise<void> {
    const names: readonly AppName[] = hasControl ? [...platform, 'control'] : platform;
    const opened = names.filter((name) => this.#inherited(name).length === 0).map((name) => this.#placeOf(name));
    const probes: Server[] = [];
    try {
      for (const place of [...opened, ...others]) {
        const probe = createServer();
        try {
          probe.listen({ host: place.host, port: place.port });
          await once(probe, 'listening');
        } catch (error) {
          throw this.errorAt(place, error);
        }
        probes.push(probe);
      }
    } finally {
      // All at once, so that two listeners with one port are found too. Their sockets are closed when this returns.
      for (const probe of probes) probe.close();
    }
  }

  /** Has an application listen. @returns its port @throws ListenError */
  async listen(app: FastifyInstance, name: AppName): Promise<number> {
    const { host, port } = this.#placeOf(name);
    const [first, ...others] = this.#inherited(name);
    const shares = this.#threads > 1 && name !== 'control' ? { reusePort: true } : {};
    const options = { host, port, ...(first === undefined ? shares : { fd: first }) };
    try {
      await app.listen(options);
      this.#servers.push({ name, server: app.server });
      // Those after it are for the other threads, as far as there are any.
      const left = name === 'control' ? others : others.slice(this.#threads - 1);
      for (const fd of left) await this.#listenToo(app, name, fd);
      const copies = this.#config.inherited?.copies[name] ?? [];
      for (const [index, fd] of copies.entries()) {
        // Nobody would accept the connections of a socket that stays open.
        if (index + 1 >= this.#threads) closeSync(fd);
        else this.#standIns.set(index + 1, [...this.#standInsOf(index + 1), await this.#open(app, fd)]);
      }
    } catch (error) {
      throw this.errorAt(this.#placeOf(name), error);
    }
    const address = app.server.address();
    return isAddress(address) ? address.port : port;
  }

  /** Accepts no connection any more on the sockets beyond the first of a listener; the application itself ends the first. */
  stop(): void {
    for (const server of this.#more.splice(0)) server.close();
    for (const thread of [...this.#standIns.keys()]) this.leaveTo(thread);
  }

  /** Accepts no connection any more on the sockets of a thread, which listens on them itself. */
  leaveTo(thread: number): void {
    for (const server of this.#standInsOf(thread)) server.close();
    this.#standIns.delete(thread);
  }

  #standInsOf(thread: number): readonly Server[] {
    return this.#standIns.get(thread) ?? [];
  }

  async #listenToo(app: FastifyInstance, name: AppName, fd: number): Promise<void> {
    const server = await this.#open(app, fd);
    this.#more.push(server);
    this.#servers.push({ name, server });
  }

  async #open(app: FastifyInstance, fd: number): Promise<Server> {
    const server = createServer({ noDelay: true }, (socket) => app.server.emit('connection', socket));
    server.listen({ fd });
    await once(server, 'listening');
    return server;
  }

  #inherited(name: AppName): readonly number[] {
    return this.#config.inherited?.sockets[name] ?? [];
  }

  #placeOf(name: AppName): Place {
    const { host, ports, control } = this.#config;
    if (name === 'control') return { ...control, name, settings: ['BROADSIDE_CONTROL_PORT', 'BROADSIDE_CONTROL_HOST'] };
    return { host, port: ports[name], name, settings: [addressSettings.ports[name], 'BROADSIDE_HOST'] };
  }

  /** Says why nothing can listen at a place. */
  errorAt({ host, port, settings, name = 'api' }: Place, error: unknown): ListenError {
    const { dataDirectory, cli } = this.#config;
    const code = errorCode(error);
    const running = code === 'EADDRINUSE' ? findServer(dataDirectory) : undefined;
    if (running?.isHere && running.pid !== process.pid) {
      const at = running.urls ? ` at ${running.urls[name === 'control' ? 'api' : name]}` : '';
      return new ListenError(
        `A server runs on this data directory already: process ${running.pid}${at}. \`${cli} stop\` ends it.`,
      );
    }
    const reason = code === 'EADDRINUSE' ? 'the port is taken' : errorText(error);
    return new ListenError(`Cannot listen on ${host}:${port}: ${reason}. Set ${settings.join(' or ')}.`);
  }
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
