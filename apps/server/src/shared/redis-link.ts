/**
 * A connection to Redis that is kept. A command fails at once while there is none, and after a deadline where no answer comes: the
 * connection is dropped then, and made anew in the background. So nothing queues up, and nothing waits for longer. Messages have a
 * connection of their own: Redis closes it where they are not read fast enough, and commands go on meanwhile.
 */
import type { createClient } from '@redis/client';
import { type SharedLocation, shownUrl } from '../config/shared-settings.ts';
import { type Script, scripts } from './redis-scripts.ts';
import { SharedStateError } from './shared-state.ts';

/** What is used of a client of the library. */
interface Client {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  sendCommand(command: readonly string[]): Promise<unknown>;
  subscribe(channel: string, listener: (text: string) => void): Promise<void>;
  destroy(): void;
  on(event: 'error' | 'end', listener: (error?: unknown) => void): unknown;
}

/** Makes a client. The library is loaded only where it is needed. */
type MakeClient = typeof createClient;

/** A command has so long, and so has a connection until it is ready. */
const DEADLINE_MS = 2000;
/** A process whose deadline is over after so many times as long has been stopped, or had no processor. */
const STOPPED = 1.5;
/** An idle connection is tried so often, so that a server knows of a loss before a client does. */
const HEARTBEAT_MS = 1000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1000;

/** Options of a link, for tests. */
export interface LinkOptions {
  readonly deadline_ms?: number;
}

/** A connection that is ready. */
interface Ready {
  readonly client: Client;
  /** The id of the process on the other side. */
  readonly run: string;
}

/** See the top of this file. Created by {@link RedisLink.open}. */
export class RedisLink {
  readonly #make: MakeClient;
  readonly #location: SharedLocation;
  readonly #deadline_ms: number;
  readonly #onReady: (() => void)[] = [];
  readonly #listeners = new Map<string, (text: string) => void>();
  #ready: Ready | undefined;
  /** That of messages, which takes no other commands. */
  #subscriber: Client | undefined;
  #problem: string | undefined;
  #onProblem: ((problem: string | undefined) => void) | undefined;
  #retry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(make: MakeClient, location: SharedLocation, { deadline_ms = DEADLINE_MS }: LinkOptions) {
    this.#make = make;
    this.#location = location;
    this.#deadline_ms = deadline_ms;
  }

  /** Connects. @throws SharedStateError where that is not possible now, or Redis is set up in a way that loses nonces */
  static async open(location: SharedLocation, options: LinkOptions = {}): Promise<RedisLink> {
    // By its default export, which it has in the build and beside it.
    const { default: redis } = await import('@redis/client');
    const link = new RedisLink(redis.createClient, location, options);
    try {
      await link.#connect();
    } catch (error) {
      link.#drop();
      throw error;
    }
    link.#heartbeat = setInterval(() => void link.ping().catch(() => {}), HEARTBEAT_MS).unref();
    return link;
  }

  /** Why there is no connection, as a sentence; `undefined` while there is one. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Reports when the connection is lost, and `undefined` when it is back. */
  onProblem(report: (problem: string | undefined) => void): void {
    this.#onProblem = report;
  }

  /** Calls back with each connection of messages after the first. */
  onReconnect(listener: () => void): void {
    this.#onReady.push(listener);
  }

  /** The id of the process that commands go to now; it never changes within a connection. @throws SharedStateError */
  get runId(): string {
    return this.#connected().run;
  }

  /** Runs a script. @returns its answer as Redis gives it @throws SharedStateError */
  async evaluate(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [`${keys.length}`, ...keys, ...args];
    try {
      return await this.#send(['EVALSHA', script.sha, ...rest]);
    } catch (error) {
      // Somebody has emptied the memory of scripts.
      if (error instanceof SharedStateError && isNoScript(error.cause))
        return this.#send(['EVAL', script.text, ...rest]);
      throw error;
    }
  }

  /** Tells all that listen to a channel. @throws SharedStateError */
  async publish(channel: string, text: string): Promise<void> {
    await this.#send(['PUBLISH', channel, text]);
  }

  /** Listens to a channel, also over later connections. @throws SharedStateError */
  async subscribe(channel: string, listener: (text: string) => void): Promise<void> {
    this.#listeners.set(channel, listener);
    const subscriber = this.#subscriber;
    if (subscriber) await this.#within(subscriber.subscribe(channel, listener));
  }

  /** Resolves when Redis answers. @throws SharedStateError */
  async ping(): Promise<void> {
    await this.#send(['PING']);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    this.#drop();
  }

  #connected(): Ready {
    if (this.#ready) return this.#ready;
    throw new SharedStateError(this.#problem ?? 'The state that servers share is not open.');
  }

  async #send(command: readonly string[]): Promise<unknown> {
    const ready = this.#connected();
    try {
      return await this.#within(ready.client.sendCommand(command));
    } catch (error) {
      const failed = this.#failure(error);
      // An answer, if only an error, says that the connection is sound. The role of the other side may have changed, though.
      if (!isReply(error) || isReadOnly(error)) this.#lost(ready, failed);
      throw failed;
    }
  }

  #failure(error: unknown): SharedStateError {
    if (error instanceof SharedStateError) return error;
    const reason = reasonOf(error);
    const message = `The state that servers share cannot be reached at ${shownUrl(this.#location.url)} (BROADSIDE_SHARED_URL): ${reason}.`;
    return new SharedStateError(message, { cause: error });
  }

  /** A promise, or its failure after the deadline, which begins anew where this process was stopped meanwhile: it may not have sent anything yet. */
  async #within<T>(answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const give = () => reject(new Error(`no answer within ${this.#deadline_ms / 1000} s`));
      const wait = () => {
        const began = performance.now();
        timer = setTimeout(() => {
          if (performance.now() - began > STOPPED * this.#deadline_ms) wait();
          // Timers fire before answers that have arrived meanwhile are read.
          else setImmediate(give);
        }, this.#deadline_ms);
      };
      wait();
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #lost(ready: Ready, error: SharedStateError): void {
    if (this.#ready !== ready) return;
    this.#drop();
    this.#hasProblem(error.message);
    this.#reconnect(FIRST_RETRY_MS);
  }

  #drop(): void {
    const clients = [this.#ready?.client, this.#subscriber];
    this.#ready = undefined;
    this.#subscriber = undefined;
    for (const client of clients) if (client?.isOpen) client.destroy();
  }

  #reconnect(after_ms: number): void {
    this.#later(after_ms, () =>
      this.#connect().then(
        () => this.#tellReady(),
        (error: unknown) => {
          this.#drop();
          this.#hasProblem(this.#failure(error).message);
          this.#reconnect(Math.min(LONGEST_RETRY_MS, after_ms * 2));
        },
      ),
    );
  }

  /** Only messages were cut off. Where their connection cannot be made again, commands are not to be trusted either. */
  #lostMessages(ready: Ready, subscriber: Client): void {
    if (this.#ready !== ready || this.#subscriber !== subscriber) return;
    this.#subscriber = undefined;
    if (subscriber.isOpen) subscriber.destroy();
    this.#later(FIRST_RETRY_MS, () =>
      this.#connectMessages(ready).then(
        (isConnected) => isConnected && this.#tellReady(),
        (error: unknown) => this.#lost(ready, this.#failure(error)),
      ),
    );
  }

  #later(after_ms: number, work: () => void): void {
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(work, after_ms).unref();
  }

  #tellReady(): void {
    for (const listener of this.#onReady) listener();
  }

  #hasProblem(problem: string | undefined): void {
    const before = this.#problem;
    this.#problem = problem;
    if ((before === undefined) !== (problem === undefined)) this.#onProblem?.(problem);
  }

  /** Makes both connections. @throws SharedStateError; what was made stays to be dropped */
  async #connect(): Promise<void> {
    const client = this.#client();
    const subscriber = this.#client();
    try {
      const info = await this.#within(this.#shakeHands(client, subscriber));
      if (this.#closed) throw new SharedStateError('The state that servers share was closed.');
      const ready = { client, run: info.run };
      this.#ready = ready;
      const lost = (error: unknown) => this.#lost(ready, this.#failure(error));
      client.on('error', lost);
      client.on('end', () => lost(new Error('the connection has ended')));
      this.#listenWith(ready, subscriber);
      this.#hasProblem(undefined);
    } catch (error) {
      for (const one of [client, subscriber]) if (one.isOpen) one.destroy();
      throw this.#failure(error);
    }
  }

  async #shakeHands(client: Client, subscriber: Client): Promise<{ readonly run: string }> {
    await Promise.all([client.connect(), subscriber.connect()]);
    const { run, info } = await identify(client);
    if (/^role:slave/m.test(info)) throw new Error('it is a replica, which takes no writes');
    checkMemory(info);
    for (const { text } of scripts) await client.sendCommand(['SCRIPT', 'LOAD', text]);
    await this.#subscribeAll(subscriber);
    return { run };
  }

  /** Makes the connection of messages beside that of commands. @returns false where that of commands is another one by now */
  async #connectMessages(ready: Ready): Promise<boolean> {
    const subscriber = this.#client();
    const connect = async () => {
      await subscriber.connect();
      const { run } = await identify(subscriber);
      if (run !== ready.run) throw new Error('another process has taken its place');
      await this.#subscribeAll(subscriber);
    };
    try {
      await this.#within(connect());
    } catch (error) {
      if (subscriber.isOpen) subscriber.destroy();
      throw error;
    }
    if (this.#closed || this.#ready !== ready) {
      subscriber.destroy();
      return false;
    }
    this.#listenWith(ready, subscriber);
    return true;
  }

  async #subscribeAll(subscriber: Client): Promise<void> {
    for (const [channel, listener] of this.#listeners) await subscriber.subscribe(channel, listener);
  }

  #listenWith(ready: Ready, subscriber: Client): void {
    this.#subscriber = subscriber;
    for (const event of ['error', 'end'] as const) subscriber.on(event, () => this.#lostMessages(ready, subscriber));
  }

  #client(): Client {
    const client = this.#make({
      url: this.#location.url,
      RESP: 2,
      disableOfflineQueue: true,
      // The link has a deadline of its own, which does not run out while this process is stopped; that of the library, 5 seconds, would.
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: this.#deadline_ms, reconnectStrategy: false },
    });
    // Without a listener an error would end the process; each is reported by the command that it fails.
    client.on('error', () => {});
    return client;
  }
}

/** Asks which process is on the other side. */
async function identify(client: Client): Promise<{ readonly run: string; readonly info: string }> {
  const info = String(await client.sendCommand(['INFO']));
  const run = /^run_id:(\w+)/m.exec(info)?.[1];
  if (run === undefined) throw new Error('it does not say which process it is (run_id of INFO)');
  return { run, info };
}

/** Keys that Redis removes for want of memory would be nonces that are accepted again. */
function checkMemory(info: string): void {
  const most = Number(/^maxmemory:(\d+)/m.exec(info)?.[1] ?? 0);
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
  if (most === 0 || policy === 'noeviction') return;
  throw new SharedStateError(
    `The Redis of BROADSIDE_SHARED_URL removes keys when its memory is full (maxmemory-policy ${policy}), so requests could be repeated; set maxmemory-policy noeviction.`,
  );
}

function isReply(error: unknown): boolean {
  // Errors of Redis begin with a word in capitals.
  return error instanceof Error && /^[A-Z]{2,} /.test(error.message);
}

function isReadOnly(error: unknown): boolean {
  // Redis 6 reports those of a script behind the name of the script: `ERR Error running script (...): @user_script: 1: -READONLY ...`.
  return error instanceof Error && /(?:^|[ -])(?:READONLY|LOADING|MASTERDOWN|NOREPLICAS|MISCONF) /.test(error.message);
}

function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT ');
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').replace(/\.$/, '');
}
