/**
 * A world for one test or one file of tests: a real one, in a temporary directory, with a clock and randomness that the
 * test controls. Its three listeners are called in process, so that tests need no ports and run in parallel.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Client, type ClientCredentials, type ClientOptions, createClient } from '@broadside/client';
import type { Permission } from '@broadside/core';
import { DEFAULT_WORLD } from '@broadside/core/resources/control';
import { expectations, type JournalCall } from '@broadside/core/resources/control/journal';
import {
  type AppName,
  type Credentials,
  type Environment,
  type ListenerName,
  listenerNames,
  type ManualClock,
  verifyJournal,
  type World,
} from '@broadside/server';
import { credentialVariables } from '@broadside/server/place';
import type { TestClock } from './clocks.ts';
import { type WorldControl, worldControlOf } from './connect/call-control.ts';
import type { Advance, Advanced, ControlledWorld, ForkOptions, SnapshotOrId } from './controlled-world.ts';
import {
  ACTOR,
  type FundingFields,
  issueTokenOf,
  makeAccount,
  makeFundingInstrument,
  makeUser,
} from './made-in-world.ts';
import {
  controlTokenOf,
  credentialsIn,
  type Fixed,
  type Opened,
  open,
  startListening,
  type Urls,
} from './open-world.ts';
import { packOpenWorld } from './packed-world.ts';
import { type Answer, buildRequest, type TestRequest, type WireRequest } from './request.ts';
import { demandAll, type ExpectedCall } from './unmet-expectations.ts';
import type { TestUser } from './user.ts';
import { headersOf, hostOf, isMethod, jsonOf, pathOf, urlAsGiven } from './wire.ts';
import {
  beginWith,
  holdSnapshot,
  PresentSnapshot,
  putBack,
  removeSnapshot,
  takeSnapshot,
  WorldSnapshot,
} from './world-copies.ts';

/** How a world began: a snapshot, or what makes one again. */
type Beginning = WorldSnapshot | (() => Promise<WorldSnapshot>);

/** The host under which the control interface of a world is called in process. */
const CONTROL_HOST = '127.0.0.1';

/** See `createWorld`. */
export class TestWorld implements ControlledWorld {
  /** The demo's credentials, as in `credentials.json`. */
  readonly credentials: Credentials;
  /** The demo's user: ACCOUNT_ADMIN of both accounts. Signs all requests that name no other user. */
  readonly user: TestUser;
  #fixed: Fixed;
  #opened: Opened;
  #nonces = 0;
  readonly #snapshots: WorldSnapshot[];
  readonly #present = new PresentSnapshot();
  #beginning: Beginning;
  #operations: WorldControl | undefined;

  /** @param held snapshots that go with the world */
  constructor(
    fixed: Fixed,
    opened: Opened,
    credentials: Credentials,
    beginning: Beginning,
    held: readonly WorldSnapshot[] = [],
  ) {
    this.#fixed = fixed;
    this.#opened = opened;
    this.credentials = credentials;
    this.user = credentials;
    this.#beginning = beginning;
    this.#snapshots = [...held];
    fixed.clock.controlledBy(() => this.#controls.clock);
  }

  /** The operations of the control on this world, made when they are first used: most tests use none. */
  get #controls(): WorldControl {
    this.#operations ??= worldControlOf(
      {
        url: `http://${CONTROL_HOST}`,
        operatorToken: controlTokenOf(this.#fixed.options),
        fetch: (input, init) => this.#fetchFrom((request) => this.#inject('control', request), input, init),
      },
      DEFAULT_WORLD,
    );
    return this.#operations;
  }

  /** Rules by which calls of the world fail. */
  get faults(): WorldControl['faults'] {
    return this.#controls.faults;
  }

  /** The calls that the world has answered. */
  get journal(): WorldControl['journal'] {
    return this.#controls.journal;
  }

  /** What a platform does to its advertisers and users. */
  get actions(): WorldControl['actions'] {
    return this.#controls.actions;
  }

  /** The world behind the listeners, for operations without an interface. */
  get platform(): World {
    return this.#opened.platform;
  }

  /** The world's time: set and advanced by its operations as that of a server is, or at once by `advance(ms)`. */
  get clock(): TestClock {
    return this.#fixed.clock;
  }

  /** The URLs of the listeners. */
  get urls(): Urls {
    return this.#fixed.urls;
  }

  /** The time of clients: OAuth timestamps and rate-limit windows. */
  get wallClock(): ManualClock {
    return this.#fixed.wallClock;
  }

  /** The variables of `broadside env`, by which programs in other languages find a listening world. */
  get variables(): Readonly<Record<string, string>> {
    const held: Readonly<Record<string, unknown>> = { ...this.credentials };
    const known = Object.entries(credentialVariables).map(([member, name]) => [name, String(held[member])] as const);
    return {
      ...Object.fromEntries(known),
      BROADSIDE_DATA_DIR: this.directory,
      BROADSIDE_CREDENTIALS: path.join(this.directory, 'credentials.json'),
    };
  }

  /** The directory of the world's files. */
  get directory(): string {
    return this.#fixed.directory;
  }

  /** Errors that were logged as unexpected: the causes of responses with status 500. */
  get failures(): readonly unknown[] {
    return this.#fixed.failures;
  }

  /** Sends a request, signed by the world's user unless specified otherwise. */
  async request(request: TestRequest): Promise<Answer> {
    const { listener = 'sandbox' } = request;
    return this.send(listener, await this.sign(request));
  }

  /** Builds the request as it would be sent, for callers that send it themselves or more than once. */
  sign(request: TestRequest): Promise<WireRequest> {
    const { listener = 'sandbox', as = this.user } = request;
    return buildRequest(request, {
      origin: this.urls[listener],
      user: as,
      signing: {
        nowSeconds: () => Math.floor(this.wallClock.now() / 1000),
        nonce: () => `n${++this.#nonces}`,
      },
    });
  }

  /** Sends a request built by `sign`. */
  async send(listener: ListenerName, { method, url, headers, body }: WireRequest): Promise<Answer> {
    const answer = await this.#inject(listener, { method, url, headers, body });
    this.#fixed.options.onAnswer?.({ listener, method, path: pathOf(url), answer });
    return answer;
  }

  /**
   * Calls the control interface as the operator, whose token the world was created with. The world itself is `default`.
   * @param target the path, such as `/worlds/default/actions/spend`
   * @param body sent as JSON
   */
  control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', target: string, body?: object): Promise<Answer> {
    const { operatorToken = '' } = this.#fixed.options;
    const headers = { authorization: `Bearer ${operatorToken}` };
    return this.#inject('control', { method, url: `http://${CONTROL_HOST}${target}`, headers, body });
  }

  /** Calls an application in process. */
  async #inject(
    app: AppName,
    { method, url, headers, body }: Omit<WireRequest, 'body'> & { readonly body?: WireRequest['body'] | object },
  ): Promise<Answer> {
    if (!isMethod(method)) throw new TypeError(`${method} needs a real connection`);
    const response = await this.#opened.app(app).inject({
      method,
      url,
      // As clients send it: without the port where it is the default.
      headers: { ...hostOf(url), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    return {
      status: response.statusCode,
      headers: headersOf(response.headers),
      text: response.payload,
      bytes: response.rawPayload,
      body: jsonOf(response.payload),
    };
  }

  /** The last calls of the world, the earliest first, as its journal shows them. Of a world in production mode there are none. */
  async calls(): Promise<JournalCall[]> {
    const calls: JournalCall[] = [];
    const { journal } = this.#opened;
    if (journal) for await (const [call] of journal.calls()) calls.push(call);
    return calls;
  }

  /**
   * Holds the calls of the world against what a test expects of its client, as the guide to the journal says.
   * @param given expectations, such as `{ operation: 'campaigns.create', times: 1 }` or `'no write was rejected'`
   * @throws UnmetExpectationsError which says of each that does not hold what was found; TypeError for what is none, and for a world in
   * production mode
   */
  async verify(given: readonly ExpectedCall[]): Promise<void> {
    const { journal } = this.#opened;
    if (!journal) throw new TypeError('a world in production mode keeps no journal');
    const read = expectations.safeParse(given);
    if (!read.success) {
      const mistakes = read.error.issues.map(({ path: at, message }) => `${at.join('.')}: expected ${message}`);
      throw new TypeError(`These are no expectations. ${mistakes.join('; ')}`);
    }
    demandAll(await verifyJournal(journal, read.data));
  }

  /** A `fetch` that reaches the listeners by their `urls`; it signs nothing. */
  readonly fetch: typeof globalThis.fetch = (input, init) =>
    this.#fetchFrom(
      (request) => {
        const listener = listenerNames.find((name) => new URL(request.url).origin === this.urls[name]);
        if (!listener) throw new TypeError(`fetch failed: nothing listens at ${request.url}`);
        return this.send(listener, request);
      },
      input,
      init,
    );

  async #fetchFrom(
    send: (request: WireRequest) => Promise<Answer>,
    input: Parameters<typeof globalThis.fetch>[0],
    init: Parameters<typeof globalThis.fetch>[1],
  ): Promise<Response> {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    // Read the body before the URL: a Request returns it only once.
    const body = Buffer.from(await request.arrayBuffer());
    const answer = await send({
      method: request.method,
      url: urlAsGiven(input),
      headers: Object.fromEntries(request.headers),
      body: body.length === 0 ? undefined : body,
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    return new Response(answer.text, { status: answer.status, headers });
  }

  /** Returns the credentials for creating a client of a user. */
  credentialsOf(user: TestUser = this.user): Required<ClientCredentials> {
    return { ...this.credentials, ...user };
  }

  /** Creates a typed client of the world's user, for the sandbox unless specified otherwise. It does not retry rejected requests. */
  client(options?: ClientOptions): Client;
  /** Creates the same of another user. */
  client(user?: TestUser, options?: ClientOptions): Client;
  client(first: TestUser | ClientOptions = {}, second: ClientOptions = {}): Client {
    const [user, options] = isUser(first) ? [first, second] : [this.user, { ...first, ...second }];
    return createClient(this.credentialsOf(user), {
      environment: 'sandbox',
      retry: false,
      ...this.clientOptions,
      ...options,
    });
  }

  /** Options with which a client reaches this world: its `fetch`, and the time for signing. */
  get clientOptions() {
    return { fetch: this.fetch, now: () => this.wallClock.now() };
  }

  /** Creates a user with a token for an app of its own. */
  createUser(screen_name: string, access_level: 'read' | 'write' = 'write'): Promise<TestUser> {
    return makeUser(this.platform, screen_name, access_level);
  }

  /** Issues another token to a user of the world, for the app of its current token. */
  issueToken(user: TestUser, access_level: 'read' | 'write'): Promise<TestUser> {
    return issueTokenOf(this.platform, user, access_level);
  }

  /** Revokes the token of a user. */
  async revokeToken(user: TestUser): Promise<void> {
    await this.platform.identity.tokens.revoke(ACTOR, user.access_token);
  }

  /** Creates an account with the user as ACCOUNT_ADMIN. @returns its id */
  createAccount(environment: Environment = 'sandbox', user: TestUser = this.user): Promise<string> {
    return makeAccount(this.platform, environment, user);
  }

  /** Sets the permissions of a user on an account. */
  grant(
    account_id: string,
    user: TestUser,
    permissions: readonly Permission[],
    environment: Environment = 'sandbox',
  ): Promise<void> {
    return this.platform.ads[environment].grant(ACTOR, account_id, user.user_id, permissions);
  }

  /** Sets the maximum number of active campaigns of an account, as the operator can. */
  async raiseCampaignLimit(account_id: string, limit: number, environment: Environment = 'sandbox'): Promise<void> {
    await this.platform.ads[environment].updateAccount(ACTOR, account_id, () => ({ active_campaign_limit: limit }));
  }

  /** Sets the approval of an account, for which there is no interface. */
  async setApproval(
    account_id: string,
    approval_status: 'ACCEPTED' | 'UNDER_REVIEW' | 'REJECTED',
    environment: Environment = 'sandbox',
  ): Promise<void> {
    await this.platform.ads[environment].updateAccount(ACTOR, account_id, () => ({ approval_status }));
  }

  /** Creates a funding instrument in USD that requires no daily budget. @returns its id */
  createFundingInstrument(
    account_id: string,
    fields: Partial<FundingFields> = {},
    environment: Environment = 'sandbox',
  ): Promise<string> {
    return makeFundingInstrument(this.platform, environment, account_id, fields);
  }

  /** Runs the jobs that are due by the world's clock, and those that they create. @returns the number of jobs started */
  runJobs(max?: number): Promise<number> {
    return this.platform.jobs.runDue(max);
  }

  /**
   * Advances the world's time, by an ISO 8601 duration, to a time, or to what happens next. Everything due on the way happens in order, each
   * at its own time, unlike after {@link ManualClock.advance}, which jumps.
   * @throws Error which says what is right, for a time that cannot be reached
   */
  async advance(request: Advance): Promise<Advanced> {
    const { happenings, complete } = await this.platform.time.advance(request);
    return { now: this.clock.now(), happened: happenings.told, total: happenings.total, complete };
  }

  /** Restarts: closes the world and opens it again on the same files. */
  async reopen(): Promise<void> {
    await this.#shut();
    this.#fixed = { ...this.#fixed, restarts: this.#fixed.restarts + 1 };
    await this.#openAgain();
  }

  async #openAgain(): Promise<void> {
    this.#opened = await open(this.#fixed);
    const { options, urls } = this.#fixed;
    if (!options.listen) return;
    const { host } = options.listen === true ? {} : options.listen;
    const portOf = (listener: ListenerName) => Number(new URL(urls[listener]).port);
    const ports = { api: portOf('api'), ads: portOf('ads'), sandbox: portOf('sandbox') };
    await startListening(this.#fixed, this.#opened, { ...(host === undefined ? {} : { host }), ports });
    // A snapshot may be of a time or a world that listened elsewhere.
    await credentialsIn(this.#opened, this.#fixed);
  }

  /** Takes a snapshot, which is there until this world is closed. */
  async snapshot(name?: string): Promise<WorldSnapshot> {
    const snapshot = await takeSnapshot(this.#fixed, this.#opened, name);
    this.#snapshots.push(snapshot);
    return snapshot;
  }

  /**
   * Creates another world with the same content, ids, jobs, time and credentials, which then goes its own way: each of them has
   * listeners of its own.
   * @param from a snapshot of this world; as it is now when left out. Name and time to live, which forks of a server take, change nothing here.
   */
  async fork(from?: WorldSnapshot | ForkOptions): Promise<TestWorld> {
    if (from instanceof WorldSnapshot) return worldFrom(from, this.#fixed);
    const snapshot = await this.#present.take(this.#fixed, this.#opened);
    // One that nobody else knows goes with the fork.
    return worldFrom(snapshot, this.#fixed, [holdSnapshot(snapshot)]);
  }

  /** Puts the world back to a snapshot. Its clock goes back too, `wallClock` does not. @throws TypeError for an id of none */
  async restore(snapshot: SnapshotOrId): Promise<void> {
    const found = this.#snapshotOf(snapshot);
    await this.#shut();
    this.#fixed = await putBack(found, this.#fixed);
    await this.#openAgain();
  }

  /** Puts the world back to how it began, or to a snapshot. Its clock goes back too, `wallClock` does not. */
  async reset(snapshot?: SnapshotOrId): Promise<void> {
    await this.restore(snapshot ?? (await this.#begun()));
  }

  async #begun(): Promise<WorldSnapshot> {
    if (this.#beginning instanceof WorldSnapshot) return this.#beginning;
    const made = await this.#beginning();
    this.#snapshots.push(made);
    this.#beginning = made;
    return made;
  }

  #snapshotOf(given: SnapshotOrId): WorldSnapshot {
    if (given instanceof WorldSnapshot) return given;
    const id = typeof given === 'string' ? given : given.id;
    const found = this.#snapshots.find((snapshot) => snapshot.id === id);
    if (!found) throw new TypeError(`the world has taken no snapshot ${id}`);
    return found;
  }

  /** The world as one file, with its credentials, keys and media, and its time: for `importWorld`, or for a server. */
  export(): Promise<Uint8Array> {
    return packOpenWorld(this.#fixed, this.#opened);
  }

  /** Closes the world and removes its files and snapshots. */
  async close(): Promise<void> {
    await this.#shut();
    rmSync(this.directory, { recursive: true, force: true });
    this.#present.remove();
    for (const snapshot of this.#snapshots) removeSnapshot(snapshot);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #shut(): Promise<void> {
    const { apps, host, platform } = this.#opened;
    await Promise.all([...apps.values()].map((app) => app.close()));
    await host.close();
    await platform.close();
  }
}

/** Opens a world that begins with a snapshot. @param held snapshots that go with it */
export async function worldFrom(
  snapshot: WorldSnapshot,
  of: Parameters<typeof beginWith>[1],
  held: readonly WorldSnapshot[] = [],
): Promise<TestWorld> {
  const fixed = await beginWith(snapshot, of);
  const opened = await open(fixed);
  const { listen } = fixed.options;
  const host = typeof listen === 'object' ? listen.host : undefined;
  // On ports of its own.
  if (listen) await startListening(fixed, opened, host === undefined ? {} : { host });
  return new TestWorld(fixed, opened, await credentialsIn(opened, fixed), snapshot, held);
}

function isUser(given: TestUser | ClientOptions): given is TestUser {
  return 'access_token' in given;
}
