/** The world behind a test: its stores, clocks and applications. */
import { readFileSync } from 'node:fs';
import type { Quotas } from '@broadside/core';
import {
  type AppName,
  type Credentials,
  createApp,
  createServices,
  ensureDemo,
  keepingJournal,
  type ListenerName,
  listenerNames,
  type RateLimitProfile,
  SeededRandom,
  type Services,
  systemRandom,
  usualJournal,
  World,
  WorldHost,
} from '@broadside/server';
import type { HeldClock, TestClock } from './clocks.ts';
import type { Answer } from './request.ts';

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
  /** Equal seeds produce equal ids and secrets for the same calls. Worlds that are not given one share one. */
  readonly seed?: string;
  /** The token for the operator's procedures, which are closed when it is omitted. */
  readonly operatorToken?: string;
  /** Defaults to `development`; in `production` the authentication listener is called with HTTPS. */
  readonly mode?: 'development' | 'production';
  /** The time that new members of audiences wait until a due job counts them; a second by default, six hours if `documented`. */
  readonly audienceProcessing?: 'fast' | 'documented';
  /** Quotas that differ from the usual ones. */
  readonly quotas?: Partial<Quotas>;
  /** Observes every response; an error that it throws fails the request. */
  readonly onAnswer?: (seen: Seen) => void;
  /**
   * Listens on ports of this machine, for programs in other languages: free ones when `true`. The clocks then run, since those programs
   * sign by the time of the machine, and due work is done by itself.
   */
  readonly listen?: boolean | ListenOptions;
}

/** The addresses at which a world listens. */
export interface ListenOptions {
  /** Loopback when omitted. */
  readonly host?: string;
  /** Any free ports when omitted. */
  readonly ports?: Readonly<Record<ListenerName, number>>;
}

type App = ReturnType<typeof createApp>;
type Logger = Parameters<typeof createApp>[0]['logger'];
/** The time of a world that is not told another. */
export const DEFAULT_NOW = Date.UTC(2026, 0, 15, 8);

/** The base URL of each listener. */
export type Urls = Readonly<Record<ListenerName, string>>;

/** The base URLs of a world that listens on no port. */
export function urlsOf({ mode, listen }: CreateWorldOptions): Urls {
  const api = mode === 'production' && !listen ? 'https://api.test' : 'http://api.test';
  return { api, ads: 'http://ads.test', sandbox: 'http://sandbox.test' };
}

/** Known to this process alone. */
const ownToken = Buffer.from(systemRandom.bytes(24)).toString('hex');

/** The token that opens the control interface, also where the operator's procedures are closed. */
export function controlTokenOf({ operatorToken = ownToken }: CreateWorldOptions): string {
  return operatorToken;
}

/** The parts of a world that outlast a restart. */
export interface Fixed {
  readonly options: CreateWorldOptions;
  /** Those of the ports, once the world listens. */
  readonly urls: Record<ListenerName, string>;
  readonly directory: string;
  readonly clock: TestClock;
  readonly wallClock: HeldClock;
  readonly seed: string;
  readonly random: SeededRandom;
  /** How often the world was opened again over the same files. */
  readonly restarts: number;
  readonly failures: unknown[];
}

/** The parts that a restart replaces. */
export interface Opened {
  readonly platform: World;
  /** The application of a listener, made when it is first called: most tests use one. */
  readonly app: (listener: AppName) => App;
  readonly host: WorldHost<Services>;
  /** The calls of the world; none in production mode. */
  readonly journal: Services['journal'];
  /** Those that were made. */
  readonly apps: ReadonlyMap<AppName, App>;
}

/** Opens the stores. */
export async function open(fixed: Fixed): Promise<Opened> {
  const { options, urls, directory, clock, wallClock, seed, random, restarts, failures } = fixed;
  const platform = await World.open({
    dataDirectory: directory,
    clock,
    wallClock,
    random,
    audienceProcessing: options.audienceProcessing,
    quotas: options.quotas,
    // Half as many connections to open, each of which reads the schema.
    frugal: true,
    // A handler that changes a row that others read too fails.
    kept: { freeze: true },
  });
  const common = {
    rateLimits: options.rateLimits ?? 'off',
    operatorToken: options.operatorToken,
    mode: options.mode ?? 'development',
    journal: options.mode === 'production' ? undefined : usualJournal,
    platformUrl: () => urls.api,
    listenerUrl: (listener: ListenerName) => urls[listener],
  } as const;
  const host: WorldHost<Services> = new WorldHost<Services>({
    dataDirectory: directory,
    addresses: () => ({ base_url: urls.api, ads_base_url: urls.ads, ads_sandbox_base_url: urls.sandbox }),
    services: () => services,
    open: (at, as) => World.open({ dataDirectory: at, ...as, clock, wallClock, frugal: true }),
    servicesOf: (world, addressPrefix) => keepingJournal(createServices(world, { ...common, addressPrefix })),
    demo: (world) => ensureDemo(world, urls, { advertisement: true }),
    wallClock,
    random,
    failed: (error) => failures.push(error),
  });
  const services: Services = keepingJournal(createServices(platform, { ...common, host }));
  const logger = collectFailures(failures);
  // Behind HTTPS the server cannot see its own address; otherwise the request contains it.
  const baseUrl = (listener: AppName) =>
    listener !== 'control' && urls[listener].startsWith('https:') ? urls[listener] : undefined;
  const apps = new Map<AppName, App>();
  const app = (listener: AppName) => {
    const known = apps.get(listener);
    if (known) return known;
    // Of its own, so that the ids of the world do not depend on which listeners were called, and in how many runs.
    const requestRandom = new SeededRandom(`${seed}\nrequests\n${listener}\n${restarts}`);
    const made = createApp({
      services: listener === 'control' ? { ...services, operatorToken: controlTokenOf(options) } : services,
      listener,
      baseUrl: baseUrl(listener),
      requestRandom,
      logger,
    });
    apps.set(listener, made);
    return made;
  };
  return { platform, app, apps, host, journal: services.journal };
}

/** Listens, and has `urls` say where. */
export async function startListening(
  { urls, failures }: Fixed,
  { platform, app }: Opened,
  { host = '127.0.0.1', ports }: ListenOptions,
): Promise<void> {
  for (const listener of listenerNames) {
    const address = await app(listener).listen({ host, port: ports?.[listener] ?? 0 });
    urls[listener] = address;
  }
  platform.jobs.start((error) => failures.push(error));
}

/** The credentials of the demo, with the addresses of the world. */
export async function credentialsIn({ platform }: Opened, { urls }: Fixed): Promise<Credentials> {
  const file = await ensureDemo(platform, urls);
  if (file === undefined) throw new TypeError('a world of the testkit has a demo');
  const read: Credentials = JSON.parse(readFileSync(file, 'utf8'));
  return read;
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
