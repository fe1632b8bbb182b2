/** The reader threads of a server: starts them, hands them what they share, replaces those that fail, and ends them. */
import type { Server } from 'node:http';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type ListenerName, listenerNames } from '../app.ts';
import type { NonceRegistry } from '../auth/nonces.ts';
import { joined } from '../journal/forgotten.ts';
import type { Handed, HandedRequest } from '../journal/journal.ts';
import type { ListeningSockets } from '../listening/inherited-sockets.ts';
import type { TlsSecrets } from '../listening/tls-servers.ts';
import { threadLines } from '../log.ts';
import { addedUp, type Figure, lasting } from '../telemetry/figures.ts';
import { threadFile } from '../thread-file.ts';
import { type Random, randomText } from '../world/random.ts';
import { openInbox } from './inbox.ts';
import { type HandedLines, lineMemory, linesLeft } from './line-queue.ts';
import type { FromReader, ReaderListener, ReaderStart, ShownWorld, ToReader } from './protocol.ts';
import type { SharedMemory } from './shared-memory.ts';
import type { SharedWindows } from './shared-windows.ts';

type Given = Omit<
  ReaderStart,
  'thread' | 'inherited' | 'listeners' | 'secret' | 'nonces' | 'grant' | 'windows' | 'connections' | 'lines'
>;

export interface ReaderThreadsOptions extends Given {
  /** The number of reader threads, without the main thread. */
  readonly count: number;
  /** By listener, in the order of {@link listenerNames}. */
  readonly apps: readonly FastifyInstance[];
  /** The sockets of the server before this one: the first of a listener is the main thread's, the next those of the threads. */
  readonly sockets?: ListeningSockets | undefined;
  /** Called when a thread listens. */
  readonly listening?: (thread: number) => void;
  readonly shared: SharedMemory;
  readonly registry: NonceRegistry;
  readonly random: Random;
  readonly logger: Logger;
}

interface Reader {
  readonly worker: Worker;
  readonly ended: Promise<void>;
  isListening: boolean;
  /** The sockets that it listens on, by listener. */
  sockets: Readonly<Record<ListenerName, readonly number[]>>;
  /** Those who wait for calls of its journal, in the order in which they have asked. */
  readonly asked: ((handed: Handed) => void)[];
  /** The same for what it has counted. */
  readonly asksFigures: ((figures: readonly Figure[]) => void)[];
  /** What it had counted when it was asked last. */
  counted: readonly Figure[];
  /** Called when it listens, when it has left the world, and when it has ended. */
  changed: () => void;
  hasLeft: boolean;
}

const NO_SOCKETS = { api: [], ads: [], sandbox: [] };

/** Requests that a thread hands over at once. */
const MOST_HANDED = 200;

/** Delays before a failed thread is replaced. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;

export class ReaderThreads {
  readonly #options: ReaderThreadsOptions;
  readonly #writeLines: ReturnType<typeof threadLines>;
  #start: Omit<ReaderStart, 'thread' | 'lines' | 'inherited'>;
  /** Threads that have listened on the sockets that were there for them, which are gone when these end. */
  readonly #begun = new Set<number>();
  #windows: SharedWindows;
  #isPaused = false;
  /** Threads to be started when the world is back. */
  readonly #missed = new Set<number>();
  readonly #inboxes: readonly Server[];
  readonly #readers = new Map<number, Reader>();
  readonly #waiting = new Map<number, NodeJS.Timeout>();
  readonly #whenReady: (() => void)[] = [];
  /** Calls that threads had left when they ended. */
  readonly #left: Handed[] = [];
  /** What threads that have ended had counted. */
  #ended: readonly Figure[] = [];
  #closing = false;

  private constructor(
    options: ReaderThreadsOptions,
    start: Omit<ReaderStart, 'thread' | 'lines' | 'inherited'>,
    inboxes: readonly Server[],
  ) {
    this.#options = options;
    this.#writeLines = threadLines(options.logger);
    this.#windows = options.shared.windows;
    this.#start = start;
    this.#inboxes = inboxes;
  }

  /** Starts the threads, and returns before they listen. The applications listen already. */
  static async start(options: ReaderThreadsOptions): Promise<ReaderThreads> {
    const { apps, shared, sockets: _, listening: __, count, registry, random, logger, ...given } = options;
    const secret = randomText(random, 43);
    const inboxes: Server[] = [];
    const listeners: ReaderListener[] = [];
    for (const [i, name] of listenerNames.entries()) {
      const app = apps[i];
      if (app === undefined) continue;
      // In the abstract namespace of Linux, where no file is left behind; the secret is what protects it.
      const socketPath = `\0broadside-${process.pid}-${randomText(random, 20)}`;
      inboxes.push(
        await openInbox(socketPath, secret, (request, response) => app.server.emit('request', request, response)),
      );
      const addresses = app
        .addresses()
        .flatMap((at) => (typeof at === 'string' ? [] : [{ host: at.address, port: at.port }]));
      const { keepAliveTimeout, maxHeadersCount, maxRequestsPerSocket, timeout } = app.server;
      const limits = { keepAliveTimeout, maxHeadersCount, maxRequestsPerSocket, timeout };
      const secure = given.config.tls?.listeners.includes(name) ?? false;
      listeners.push({ name, addresses, socketPath, limits, secure });
    }
    const memory = {
      nonces: shared.nonces.memory,
      grant: shared.grant.memory,
      windows: shared.windows.memory,
      connections: shared.connections.memory,
    };
    const threads = new ReaderThreads(options, { ...given, ...memory, listeners, secret }, inboxes);
    for (let thread = 1; thread <= count; thread++) threads.#spawn(thread, FIRST_DELAY_MS);
    return threads;
  }

  /** The number of threads that do not listen at the moment. */
  get missing(): number {
    return this.#options.count - [...this.#readers.values()].filter(({ isListening }) => isListening).length;
  }

  /** Resolves when all listen. */
  async ready(): Promise<void> {
    if (this.missing > 0) await new Promise<void>((resolve) => this.#whenReady.push(resolve));
  }

  /** Fetches what the threads have kept of their calls since it was fetched last. */
  async journal(): Promise<Handed> {
    const listening = [...this.#readers.values()].filter(({ isListening }) => isListening);
    const all = await Promise.all(listening.map((reader) => journalOf(reader)));
    all.push(...this.#left.splice(0));
    return {
      requests: all.flatMap(({ requests }) => requests),
      forgotten: all.map(({ forgotten }) => forgotten).reduce(joined, undefined),
    };
  }

  /** Fetches what the threads have counted since the start of the server, those that have ended included. */
  async figures(): Promise<readonly (readonly Figure[])[]> {
    const listening = [...this.#readers.values()].filter(({ isListening }) => isListening);
    const all = await Promise.all(
      listening.map(async (reader) => {
        reader.counted = await new Promise<readonly Figure[]>((resolve) => {
          reader.asksFigures.push(resolve);
          reader.worker.postMessage({ kind: 'figures' } satisfies ToReader);
        });
        return reader.counted;
      }),
    );
    return [this.#ended, ...all];
  }

  /** Has all threads leave the world: they pass everything on to the main thread. Resolves when none of them has a store open. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await Promise.all(
      [...this.#readers.values()].map(async (reader) => {
        // One that is starting opens the stores.
        while (!reader.isListening && this.#has(reader)) await changeOf(reader);
        reader.hasLeft = false;
        reader.worker.postMessage({ kind: 'pause' } satisfies ToReader);
        while (!reader.hasLeft && this.#has(reader)) await changeOf(reader);
      }),
    );
  }

  /** Has all threads enter the world that is there now. @param windows of its rate limits */
  resume(world: ShownWorld, windows: SharedWindows): void {
    this.#windows = windows;
    const shown = { ...world, windows: windows.memory };
    this.#start = { ...this.#start, ...shown };
    this.#isPaused = false;
    const message: ToReader = { kind: 'resume', world: shown };
    for (const { worker } of this.#readers.values()) worker.postMessage(message);
    for (const thread of this.#missed) this.#spawn(thread, FIRST_DELAY_MS);
    this.#missed.clear();
  }

  /** Adds the sockets of the threads to those of the main thread. */
  withSockets(own: ListeningSockets): ListeningSockets {
    const readers = [...this.#readers.values()];
    const all = (name: ListenerName) => [...own[name], ...readers.flatMap(({ sockets }) => sockets[name])];
    return { ...own, api: all('api'), ads: all('ads'), sandbox: all('sandbox') };
  }

  /** Has all threads end their connections with the next answer on each, and not before a time has passed. */
  drain(wait_ms: number): void {
    for (const { worker } of this.#readers.values()) worker.postMessage({ kind: 'drain', wait_ms } satisfies ToReader);
  }

  /** Has all threads serve new connections with another certificate. */
  renewCertificate(tls: TlsSecrets): void {
    this.#start = { ...this.#start, tls };
    for (const { worker } of this.#readers.values())
      worker.postMessage({ kind: 'certificate', tls } satisfies ToReader);
  }

  #has(reader: Reader): boolean {
    return [...this.#readers.values()].includes(reader);
  }

  /** Ends a thread at once, as an error in it would; another one takes its place. For tests. */
  async fail(thread: number): Promise<void> {
    await this.#readers.get(thread)?.worker.terminate();
  }

  /** Has all threads finish what is under way, and ends them. The main thread must still answer what they pass on. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    const stop: ToReader = { kind: 'stop' };
    for (const { worker, isListening } of this.#readers.values()) {
      // One that has not begun to listen has nothing under way.
      if (isListening) worker.postMessage(stop);
      else void worker.terminate();
    }
    await Promise.all([...this.#readers.values()].map(({ ended }) => ended));
    for (const inbox of this.#inboxes) {
      inbox.close();
      inbox.closeAllConnections();
    }
  }

  #spawn(thread: number, delay_ms: number): void {
    const source = new URL('./reader-main.ts', import.meta.url);
    const { url, execArgv } = threadFile(source, 'dist/threads/reader-main.js');
    const lines = lineMemory();
    const workerData: ReaderStart = { ...this.#start, thread, lines, inherited: this.#inherited(thread) };
    const worker = new Worker(url, { workerData, execArgv, name: `reader ${thread}` });
    let failure: unknown;
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        this.#readers.delete(thread);
        // What it had kept is lost.
        for (const answer of reader.asked.splice(0)) answer({ requests: [], forgotten: undefined });
        // What it counted since it was asked last is lost with it.
        this.#ended = addedUp(this.#ended, lasting(reader.counted));
        for (const answer of reader.asksFigures.splice(0)) answer([]);
        this.#windows.ended(thread);
        this.#options.shared.connections.ended(thread);
        this.#reportLost(linesLeft(lines));
        resolve();
        reader.changed();
        if (!this.#closing) this.#replace(thread, reader.isListening ? FIRST_DELAY_MS : delay_ms, failure);
      });
    });
    const reader: Reader = {
      worker,
      ended,
      isListening: false,
      sockets: NO_SOCKETS,
      asked: [],
      asksFigures: [],
      counted: [],
      changed: () => {},
      hasLeft: false,
    };
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('message', (message: FromReader) => this.#receive(thread, reader, message));
    this.#readers.set(thread, reader);
  }

  #inherited(thread: number): ReaderStart['inherited'] {
    const { sockets } = this.#options;
    if (!sockets || this.#begun.has(thread)) return undefined;
    return { api: sockets.api[thread], ads: sockets.ads[thread], sandbox: sockets.sandbox[thread] };
  }

  #replace(thread: number, delay_ms: number, failure: unknown): void {
    this.#options.registry.lostThread();
    this.#options.logger.error({ err: failure, thread }, 'a reader thread ended and is replaced');
    const timer = setTimeout(() => {
      this.#waiting.delete(thread);
      if (this.#isPaused) this.#missed.add(thread);
      else this.#spawn(thread, Math.min(delay_ms * 2, LONGEST_DELAY_MS));
    }, delay_ms);
    this.#waiting.set(thread, timer.unref());
  }

  #receive(thread: number, reader: Reader, message: FromReader): void {
    switch (message.kind) {
      case 'listening':
        reader.isListening = true;
        reader.sockets = message.sockets;
        this.#begun.add(thread);
        this.#options.listening?.(thread);
        reader.changed();
        if (this.missing === 0) for (const resolve of this.#whenReady.splice(0)) resolve();
        return;
      case 'paused':
        reader.hasLeft = true;
        reader.changed();
        return;
      case 'log':
        this.#takeLines(message.handed);
        reader.worker.postMessage({ kind: 'logged', lines: message.handed.count } satisfies ToReader);
        return;
      case 'nonces':
        this.#options.registry.absorb(message.written);
        return;
      case 'figures':
        reader.asksFigures.shift()?.(message.figures);
        return;
      case 'journal': {
        const answer = reader.asked.shift();
        if (answer) answer(message.handed);
        else this.#left.push(message.handed);
        return;
      }
    }
  }

  #reportLost(lost: number): void {
    if (lost > 0) this.#options.logger.warn({ lost }, 'log lines of a thread were lost');
  }

  /** Writes lines to where the logger writes its own, and reports those that were dropped. */
  #takeLines({ bytes, count, lost }: HandedLines): void {
    this.#writeLines(bytes, count);
    this.#reportLost(lost);
  }
}

/** Resolves with the next change of a thread. */
function changeOf(reader: Reader): Promise<void> {
  return new Promise((resolve) => {
    reader.changed = resolve;
  });
}

/** All that a thread has kept, part by part, so that it is not kept from serving for long. */
async function journalOf({ worker, asked }: Reader): Promise<Handed> {
  const requests: HandedRequest[] = [];
  let forgotten: Handed['forgotten'];
  for (;;) {
    const handed = await new Promise<Handed>((resolve) => {
      asked.push(resolve);
      worker.postMessage({ kind: 'journal', most: MOST_HANDED } satisfies ToReader);
    });
    requests.push(...handed.requests);
    forgotten = joined(forgotten, handed.forgotten);
    if (handed.requests.length < MOST_HANDED) return { requests, forgotten };
  }
}
