/**
 * A world for one test or one file of tests: a real one, in a temporary directory, with a clock and randomness that the
 * test controls. Its three listeners are called in process, so that tests need no ports and run in parallel.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, type ClientCredentials, type ClientOptions, createClient } from '@broadside/client';
import type { Permission, Quotas } from '@broadside/core';
import { initialSandboxFeatures } from '@broadside/core/resources/features';
import type { FundingInstrument } from '@broadside/core/resources/funding-instruments';
import {
  type Credentials,
  createApp,
  createServices,
  type Environment,
  ensureDemo,
  families,
  type ListenerName,
  listenerNames,
  ManualClock,
  type RateLimitProfile,
  SeededRandom,
  World,
} from '@broadside/server';
import { type Answer, buildRequest, type TestRequest, type WireRequest } from './request.ts';
import type { TestUser } from './user.ts';
import { headersOf, hostOf, isMethod, jsonOf, pathOf, urlAsGiven } from './wire.ts';

/** A request with its response, for observers. */
export interface Seen {
  readonly listener: ListenerName;
  readonly method: string;
  readonly path: string;
  readonly answer: Answer;
}

/** Options of a world for tests. */
export interface CreateWorldOptions {
  /** Off when omitted; `{}` uses the published limits. */
  readonly rateLimits?: RateLimitProfile;
  /** The world's time at the start, in milliseconds since the epoch. */
  readonly now?: number;
  /** Equal seeds produce equal ids and secrets. */
  readonly seed?: string;
  /** The token for the operator's procedures, which are closed when it is omitted. */
  readonly operatorToken?: string;
  /** Defaults to `development`; in `production` the authentication listener is called with HTTPS. */
  readonly mode?: 'development' | 'production';
  /** How long new members of audiences wait until a due job counts them; a second by default, six hours if `documented`. */
  readonly audienceProcessing?: 'fast' | 'documented';
  /** Quotas that differ from the usual ones. */
  readonly quotas?: Partial<Quotas>;
  /** Observes every response; an error that it throws fails the request. */
  readonly onAnswer?: (seen: Seen) => void;
}

type App = ReturnType<typeof createApp>;
type Logger = Parameters<typeof createApp>[0]['logger'];
type Actor = Parameters<World['identity']['users']['create']>[0];
type FundingFields = Omit<
  FundingInstrument,
  'id' | 'account_id' | 'able_to_fund' | 'reasons_not_able_to_fund' | 'created_at' | 'updated_at'
>;

const ACTOR: Actor = { user_id: null, platform: 'SERVER' };
const DEFAULT_NOW = Date.UTC(2026, 0, 15, 8);

type Urls = Readonly<Record<ListenerName, string>>;

function urlsOf({ mode }: CreateWorldOptions): Urls {
  const api = mode === 'production' ? 'https://api.test' : 'http://api.test';
  return { api, ads: 'http://ads.test', sandbox: 'http://sandbox.test' };
}

/** Creates a world with a demo user and an account in each environment. Close it, or declare it with `await using`. */
export async function createWorld(options: CreateWorldOptions = {}): Promise<TestWorld> {
  const now = options.now ?? DEFAULT_NOW;
  const fixed: Fixed = {
    options,
    urls: urlsOf(options),
    directory: mkdtempSync(path.join(tmpdir(), 'broadside-world-')),
    clock: new ManualClock(now),
    wallClock: new ManualClock(now),
    random: new SeededRandom(options.seed ?? 'broadside'),
    failures: [],
  };
  try {
    const opened = await open(fixed);
    const file = await ensureDemo(opened.platform, fixed.urls);
    if (file === undefined) throw new TypeError('a new world has a demo');
    return new TestWorld(fixed, opened, readCredentials(file));
  } catch (error) {
    rmSync(fixed.directory, { recursive: true, force: true });
    throw error;
  }
}

interface Fixed {
  readonly options: CreateWorldOptions;
  readonly urls: Urls;
  readonly directory: string;
  readonly clock: ManualClock;
  readonly wallClock: ManualClock;
  readonly random: SeededRandom;
  readonly failures: unknown[];
}

interface Opened {
  readonly platform: World;
  readonly apps: Readonly<Record<ListenerName, App>>;
}

async function open({ options, urls, directory, clock, wallClock, random, failures }: Fixed): Promise<Opened> {
  const platform = await World.open({
    dataDirectory: directory,
    clock,
    wallClock,
    random,
    audienceProcessing: options.audienceProcessing,
    quotas: options.quotas,
    // A handler that changes a row that others read too fails.
    kept: { freeze: true },
  });
  const services = createServices(platform, {
    rateLimits: options.rateLimits ?? 'off',
    operatorToken: options.operatorToken,
    mode: options.mode ?? 'development',
    platformUrl: () => urls.api,
  });
  const logger = collectFailures(failures);
  // Behind HTTPS the server cannot see its own address; otherwise the request contains it.
  const baseUrl = (listener: ListenerName) => (urls[listener].startsWith('https:') ? urls[listener] : undefined);
  const app = (listener: ListenerName) => createApp({ services, listener, baseUrl: baseUrl(listener), logger });
  return { platform, apps: { api: app('api'), ads: app('ads'), sandbox: app('sandbox') } };
}

/** Creates a logger that collects unexpected errors and drops everything else. */
function collectFailures(failures: unknown[]): Logger {
  const drop = () => {};
  const keep = (...line: unknown[]) => {
    failures.push(line[0]);
  };
  const logger: Logger = {
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

/** See {@link createWorld}. */
export class TestWorld implements AsyncDisposable {
  /** The demo's credentials, as in `credentials.json`. */
  readonly credentials: Credentials;
  /** The demo's user: ACCOUNT_ADMIN of both accounts. Signs all requests that name no other user. */
  readonly user: TestUser;
  readonly #fixed: Fixed;
  #opened: Opened;
  #nonces = 0;

  constructor(fixed: Fixed, opened: Opened, credentials: Credentials) {
    this.#fixed = fixed;
    this.#opened = opened;
    this.credentials = credentials;
    this.user = credentials;
  }

  /** The world behind the listeners, for operations without an interface. */
  get platform(): World {
    return this.#opened.platform;
  }

  /** The world's time. */
  get clock(): ManualClock {
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
    if (!isMethod(method)) throw new TypeError(`${method} needs a real connection`);
    const response = await this.#opened.apps[listener].inject({
      method,
      url,
      // As clients send it: without the port where it is the default.
      headers: { ...hostOf(url), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    const answer: Answer = {
      status: response.statusCode,
      headers: headersOf(response.headers),
      text: response.payload,
      bytes: response.rawPayload,
      body: jsonOf(response.payload),
    };
    this.#fixed.options.onAnswer?.({ listener, method, path: pathOf(url), answer });
    return answer;
  }

  /** A `fetch` that reaches the listeners by their `urls`; it signs nothing. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const listener = listenerNames.find((name) => new URL(request.url).origin === this.urls[name]);
    if (!listener) throw new TypeError(`fetch failed: nothing listens at ${request.url}`);
    request.signal.throwIfAborted();
    // Read the body before the URL: a Request returns it only once.
    const body = Buffer.from(await request.arrayBuffer());
    const answer = await this.send(listener, {
      method: request.method,
      url: urlAsGiven(input),
      headers: Object.fromEntries(request.headers),
      body: body.length === 0 ? undefined : body,
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    return new Response(answer.text, { status: answer.status, headers });
  };

  /** Returns the credentials for creating a client of a user. */
  credentialsOf(user: TestUser = this.user): Required<ClientCredentials> {
    return { ...this.credentials, ...user };
  }

  /**
   * Creates a typed client of a user, for the sandbox unless specified otherwise. It does not retry rejected requests.
   */
  client(user: TestUser = this.user, options: ClientOptions = {}): Client {
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
  async createUser(screen_name: string, access_level: 'read' | 'write' = 'write'): Promise<TestUser> {
    const { identity } = this.platform;
    // Hashing a password takes longer than the rest of a test.
    const user = await identity.users.create(ACTOR, { screen_name, name: screen_name, password: 'correct horse' });
    const app = await identity.apps.create(ACTOR, {
      name: `App of ${screen_name}`,
      description: '',
      owner_user_id: user.id,
      callback_urls: [`https://${screen_name.toLowerCase()}.example.com/callback`],
      sign_in_enabled: false,
      oob_enabled: true,
      access_level: 'write',
    });
    const token = await identity.tokens.issue(ACTOR, app, user, access_level);
    return { ...token, consumer_key: app.consumer_key, consumer_secret: app.consumer_secret };
  }

  /** Issues another token to a user of the world, for the app of its current token. */
  async issueToken(user: TestUser, access_level: 'read' | 'write'): Promise<TestUser> {
    const { identity } = this.platform;
    const [app, person] = await Promise.all([identity.apps.byKey(user.consumer_key), identity.users.get(user.user_id)]);
    if (!app || !person) throw new TypeError('the user is not of this world');
    return { ...user, ...(await identity.tokens.issue(ACTOR, app, person, access_level)) };
  }

  /** Revokes the token of a user. */
  async revokeToken(user: TestUser): Promise<void> {
    await this.platform.identity.tokens.revoke(ACTOR, user.access_token);
  }

  /** Creates an account with the user as ACCOUNT_ADMIN. @returns its id */
  async createAccount(environment: Environment = 'sandbox', user: TestUser = this.user): Promise<string> {
    const account = await this.platform.ads[environment].createAccount(ACTOR, {
      name: 'Test account',
      business_name: null,
      timezone: 'America/Los_Angeles',
      user_id: user.user_id,
      features: environment === 'sandbox' ? initialSandboxFeatures : [],
    });
    return account.id;
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
  async createFundingInstrument(
    account_id: string,
    fields: Partial<FundingFields> = {},
    environment: Environment = 'sandbox',
  ): Promise<string> {
    const { deleted, ...state } = fields;
    const row = await this.platform.ads[environment].account(account_id).write(ACTOR, async (account) => {
      const instruments = account.of(families.funding_instruments.fundingInstrument);
      const made = await instruments.insert({
        type: 'PARTNER_MANAGED',
        description: null,
        currency: 'USD',
        start_time: '2020-01-01T00:00:00Z',
        end_time: null,
        credit_limit_local_micro: null,
        credit_remaining_local_micro: null,
        funded_amount_local_micro: null,
        io_header: null,
        entity_status: 'ACTIVE',
        ...state,
      });
      return deleted ? instruments.delete(made) : made;
    });
    return row.id;
  }

  /** Runs the jobs that are due by the world's clock, and those that they create. @returns the number of jobs started */
  runJobs(max?: number): Promise<number> {
    return this.platform.jobs.runDue(max);
  }

  /** Restarts: closes the world and opens it again on the same files. */
  async reopen(): Promise<void> {
    await this.#shut();
    this.#opened = await open(this.#fixed);
  }

  /** Closes the world and removes its files. */
  async close(): Promise<void> {
    await this.#shut();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #shut(): Promise<void> {
    const { apps, platform } = this.#opened;
    await Promise.all(listenerNames.map((name) => apps[name].close()));
    await platform.close();
  }
}

function readCredentials(file: string): Credentials {
  const read: Credentials = JSON.parse(readFileSync(file, 'utf8'));
  return read;
}
