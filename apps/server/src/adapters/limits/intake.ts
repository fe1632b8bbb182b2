/** The limits of HTTP as the listeners of a process share them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { BodyMemory } from './body-memory.ts';
import { BodyProgress } from './body-progress.ts';
import type { ConnectionCounts } from './connection-counts.ts';
import { Connections } from './connections.ts';
import { defaultHttpLimits, type HttpLimits } from './http-limits.ts';
import { LateRequests } from './late-requests.ts';
import { ResponsiveTime } from './responsive-time.ts';

/** Maximum size of the head of a request. A target of half of that is answered in the form of its operation; this is not. */
const MAX_HEAD_BYTES = 32_768;

/** Limits what clients make a process hold. One for all listeners of a process. */
export class HttpIntake {
  readonly limits: HttpLimits;
  readonly memory: BodyMemory;
  readonly #connections: Connections;
  readonly #progress: BodyProgress;
  readonly #late: LateRequests;
  readonly #time: ResponsiveTime;
  #listening = 0;
  #stop: (() => void) | undefined;

  constructor(
    limits: HttpLimits = defaultHttpLimits,
    trustedProxies: readonly string[] = [],
    counts?: ConnectionCounts,
  ) {
    this.limits = limits;
    this.memory = new BodyMemory(limits);
    this.#connections = new Connections(limits, trustedProxies, counts);
    this.#time = new ResponsiveTime(limits.request_ms + limits.header_ms);
    this.#progress = new BodyProgress(limits.stall_ms, this.#time);
    this.#late = new LateRequests(limits, this.#time);
  }

  /** Options of `http.createServer`: Node looks for late requests in this interval. */
  get serverOptions(): { readonly connectionsCheckingInterval: number; readonly maxHeaderSize: number } {
    const { header_ms, stall_ms } = this.limits;
    return {
      connectionsCheckingInterval: Math.max(100, Math.min(header_ms, stall_ms) / 4),
      maxHeaderSize: MAX_HEAD_BYTES,
    };
  }

  /** Applies the limits to a server that does not listen yet. */
  apply(server: Server): void {
    this.applyConnections(server);
    server.on('request', this.#progress.watch);
  }

  /** Applies those limits that do not concern bodies, to a server that passes them on. */
  applyConnections(server: Server): void {
    server.headersTimeout = this.limits.header_ms;
    server.requestTimeout = this.limits.request_ms;
    server.on('request', (request) => this.#late.arrived(request));
    server.on('listening', () => this.#begin());
    server.on('close', () => this.#end());
    this.#connections.limit(server);
  }

  /** Answers a connection on which no request can be read, or whose request is late. */
  readonly fail = (error: NodeJS.ErrnoException, socket: Socket): void => {
    this.#late.fail(error, socket, this.#progress.on(socket));
  };

  #begin(): void {
    this.#listening += 1;
    this.#stop ??= this.#time.start(() => {
      this.#late.look();
      this.#progress.look();
    });
  }

  #end(): void {
    this.#listening -= 1;
    if (this.#listening > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}
