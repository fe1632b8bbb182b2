/** The limits of HTTP as the listeners of a process share them. */
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { type Random, systemRandom } from '../../world/random.ts';
import { SocketAnswers, type SocketForm } from '../rest/malformed.ts';
import { requestIds } from '../rest/request-log.ts';
import { BodyMemory } from './body-memory.ts';
import { BodyProgress } from './body-progress.ts';
import { limitChunks } from './chunks.ts';
import type { ConnectionCounts } from './connection-counts.ts';
import { Connections } from './connections.ts';
import { takeExpectations } from './expectations.ts';
import { defaultHttpLimits, type HttpLimits } from './http-limits.ts';
import { LateRequests } from './late-requests.ts';
import { Pipelines } from './pipelines.ts';
import { ResponsiveTime } from './responsive-time.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** An answer may be left unread for so many times as long as a body may stall: a player that is paused reads nothing for a while. */
const UNREAD_STALLS = 6;

/** Maximum size of the head of a request. A target of half of that is answered in the form of its operation; this is not. */
const MAX_HEAD_BYTES = 32_768;

/** Options of an intake, besides its limits. */
interface IntakeOptions {
  /** The connections of all threads, where there are several. */
  readonly counts?: ConnectionCounts | undefined;
  /** For the ids of answers to what is no request. */
  readonly random?: Random;
  /** Has a line for each of those. */
  readonly logger?: Pick<FastifyBaseLogger, 'info'>;
  /** Counts those, by the code of the error. */
  readonly closed?: ((code: string) => void) | undefined;
}

/** Limits what clients make a process hold. One for all listeners of a process. */
export class HttpIntake {
  readonly limits: HttpLimits;
  readonly memory: BodyMemory;
  readonly #connections: Connections;
  readonly #answers: SocketAnswers;
  readonly #progress: BodyProgress;
  readonly #late: LateRequests;
  readonly #pipelines: Pipelines;
  readonly #unread: UnreadAnswers;
  readonly #time: ResponsiveTime;
  #isEnding = false;
  #listening = 0;
  #stop: (() => void) | undefined;

  constructor(
    limits: HttpLimits = defaultHttpLimits,
    trustedProxies: readonly string[] = [],
    { counts, random = systemRandom, logger, closed }: IntakeOptions = {},
  ) {
    const pipelines = new Pipelines((socket) => answers.crowded(socket));
    const answers = new SocketAnswers(pipelines, requestIds(random), (record, message) => {
      logger?.info(record, message);
      closed?.(record.rejected);
    });
    this.limits = limits;
    this.#answers = answers;
    this.memory = new BodyMemory(limits);
    this.#connections = new Connections(limits, trustedProxies, answers, counts);
    this.#time = new ResponsiveTime(limits.request_ms + limits.header_ms);
    this.#progress = new BodyProgress(limits.stall_ms, this.#time, answers);
    this.#late = new LateRequests(limits, this.#time, answers);
    this.#pipelines = pipelines;
    this.#unread = new UnreadAnswers(UNREAD_STALLS * limits.stall_ms, this.#time, answers);
  }

  /** Each answer ends its connection. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Has each answer end its connection, for a process that is about to end. */
  end(): void {
    this.#isEnding = true;
  }

  /** Options of `http.createServer`: Node looks for late requests in this interval. */
  get serverOptions(): { readonly connectionsCheckingInterval: number; readonly maxHeaderSize: number } {
    const { header_ms, stall_ms } = this.limits;
    return {
      connectionsCheckingInterval: Math.max(100, Math.min(header_ms, stall_ms) / 4),
      maxHeaderSize: MAX_HEAD_BYTES,
    };
  }

  /** Applies the limits to a server that does not listen yet. @param form that of its errors */
  apply(server: Server, form: SocketForm): void {
    this.applyConnections(server, form);
    server.on('request', (request) => this.#progress.watch(request, form));
  }

  /** Applies the limits but the pace of bodies, to a server that passes bodies on to threads, which watch it. */
  applyConnections(server: Server, form: SocketForm): void {
    server.headersTimeout = this.limits.header_ms;
    server.requestTimeout = this.limits.request_ms;
    const splintered = this.#answers.splintered.bind(this.#answers, form);
    server.on('request', (request) => {
      this.#late.arrived(request);
      limitChunks(request, splintered);
    });
    server.on('listening', () => this.#begin());
    server.on('close', () => this.#end());
    this.#connections.limit(server, form);
    this.#pipelines.watch(server);
    this.#unread.watch(server);
    takeExpectations(server);
  }

  /** Wraps the handler of a server to which the limits apply, so that the requests of a connection are handled in order. See {@link Pipelines}. */
  inOrder(handle: RequestListener): RequestListener {
    // The body of a request that waits is not read, so only its growth is limited.
    return this.#pipelines.inOrder(handle, (request) => this.unlimit(request));
  }

  /** Returns the function that answers connections of a server on which no request can be read, or whose request is late. */
  failing(form: SocketForm): (error: NodeJS.ErrnoException, socket: Socket) => void {
    return (error, socket) => {
      const request = this.#progress.on(socket) ?? this.#pipelines.arriving(socket);
      this.#late.fail(form, error, socket, request);
    };
  }

  /** Lets the body of a request take any time to arrive, as long as it grows: for what may be larger than the time for a request allows. */
  unlimit(request: IncomingMessage): void {
    this.#late.unlimit(request);
  }

  #begin(): void {
    this.#listening += 1;
    this.#stop ??= this.#time.start(() => {
      this.#late.look();
      this.#progress.look();
      this.#pipelines.look();
      this.#unread.look();
    });
  }

  #end(): void {
    this.#listening -= 1;
    if (this.#listening > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}
