/** A running server: a world behind three listeners. */
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { HttpIntake } from './adapters/limits/intake.ts';
import { createApp, type ListenerName, listenerNames } from './app.ts';
import { RunningBackups } from './backup/running-backups.ts';
import { hostInUrl, schemeOf } from './config/addresses.ts';
import { type Config, ownEnvironment } from './config/config.ts';
import type { MetricsSettings } from './config/metrics-settings.ts';
import { createServices, standingServices } from './create-services.ts';
import { checkCredentials, ensureDemo, refreshAddresses, urlMembers } from './demo/demo.ts';
import { operatorToken, willHaveOperatorToken } from './demo/operator-token.ts';
import { Dialects, loadDialects } from './dialects/dialects.ts';
import { keepingJournal } from './journal/keeping.ts';
import { cutOffLater, tellClients, tellingTime } from './listening/ending.ts';
import { certificateOf, listenerTls } from './listening/listener-tls.ts';
import { ListenError, Listeners, type Place } from './listening/listeners.ts';
import { type Successor, SuccessorError, sayServing, startSuccessor, takeOver } from './listening/successor.ts';
import type { LogOutput } from './log-output.ts';
import { isShared } from './media/blobs/shared-blobs.ts';
import { World } from './open-world.ts';
import { packageVersion } from './package-file.ts';
import type { Services } from './pipeline/services.ts';
import { type Publication, publishServer, type Restarts } from './place/server-file.ts';
import { Readiness } from './readiness.ts';
import { addressing } from './server-addresses.ts';
import { linkTo } from './shared/link-to.ts';
import type { RedisLink } from './shared/redis-link.ts';
import { sharedOver } from './shared/redis-state.ts';
import { beginFirstStart, endFirstStart, isFirstStart, StandingWorld } from './standing-world.ts';
import type { Exposition } from './telemetry/exposition.ts';
import { type MetricsListener, metricsAddress, openMetrics, openMetricsListener } from './telemetry/open-metrics.ts';
import { OpenMetricsError } from './telemetry/open-metrics-error.ts';
import { openTelemetry } from './telemetry/open-telemetry.ts';
import { reportTraces } from './telemetry/report-traces.ts';
import type { ReaderThreads } from './threads/reader-threads.ts';
import { createSharedMemory } from './threads/shared-memory.ts';
import { startReaders } from './threads/start-readers.ts';
import { singleThreadReason, threadCount } from './threads/thread-count.ts';
import { type OpenWorker, openWorkerOf } from './workers/open-worker.ts';
import { checkRoom } from './world/data-directory.ts';
import { checkKinds } from './world/directory-kinds.ts';
import { checkKnownSchemas } from './world/known-schemas.ts';
import { looseModes } from './world/loose-modes.ts';
import { systemRandom } from './world/random.ts';
import { checkSecretKey } from './world/secret-key.ts';
import { NotReplaceableError } from './worlds/errors.ts';
import { DEFAULT_ID } from './worlds/host-options.ts';
import { WorldHost } from './worlds/world-host.ts';

export interface RunningServer {
  /** The base URLs as clients use them. */
  readonly urls: Readonly<Record<ListenerName, string>>;
  /** What whoever started it should know of the stores: sentences. */
  readonly notices: readonly string[];
  /** The addresses of the listeners themselves, for clients on this machine. */
  readonly localUrls: Readonly<Record<ListenerName, string>>;
  readonly world: World;
  /** Path of the demo's credentials, if there is a demo. */
  readonly credentialsFile: string | undefined;
  /** The threads beside the main thread, if there are any. They may not all serve yet. */
  readonly readers: ReaderThreads | undefined;
  /** The address of the listener that controls worlds, if it is open. */
  readonly controlUrl: string | undefined;
  /** Reads again what may change while the server runs: the certificate. */
  reload(): Promise<void>;
  /** The address of the listener of metrics alone, if there is one. */
  readonly metricsUrl: string | undefined;
  /**
   * Starts a process that is to take the place of this one, and waits until nothing but the stores is missing to it. This one goes on
   * until it is closed. @throws SuccessorError when there is none, and nothing has changed
   */
  startSuccessor(): Promise<Successor>;
  /** Finishes the requests in progress, then closes everything. @param how whether a successor waits */
  close(how?: { readonly isSucceeded?: boolean }): Promise<void>;
}

/** The time that a predecessor has to close its stores, beside that of its requests. */
const TAKE_OVER_MS = 60_000;

/** Other threads can listen beside an inherited socket only where it was opened for that. */
function isLimited({ inherited }: Config): boolean {
  return inherited !== undefined && (inherited.from === 'manager' || inherited.sockets.api.length < 2);
}

/**
 * Starts a server.
 * @param output where the lines of the logger go, so that `/ready` can say when they are lost
 * @param restarts what became of attempts at a successor of this process; nothing where SIGUSR2 does not have it start one
 * @throws DialectFileError, TlsFileError, SharedStateError, ListenError, DatabaseOpenError, DataDirectoryInUseError, NewerDatabaseError; nothing is left open or changed.
 */
export async function startServer(
  config: Config,
  logger: Logger,
  output?: LogOutput,
  restarts?: Restarts,
): Promise<RunningServer> {
  const apps: FastifyInstance[] = [];
  const loaded = await loadDialects(config.dialects);
  const dialects = new Dialects(loaded);
  let standing: StandingWorld | undefined;
  let publication: Publication | undefined;
  let host: WorldHost<Services> | undefined;
  let link: RedisLink | undefined;
  let metricsListener: MetricsListener | undefined;
  let worker: OpenWorker | undefined;
  const telemetry = await openTelemetry(config, 0, reportTraces(logger));
  const reason = singleThreadReason();
  // What they share is beside the threads of one process; more servers take the place of more threads.
  const isSharded = Object.keys(config.shards).length > 0;
  const threads = config.shared || isSharded || isLimited(config) ? 1 : threadCount(config.workers, reason);
  const { inherited } = config;
  if (inherited?.from === 'manager')
    logger.info('one thread serves all requests: the sockets are those of the service manager');
  const listeners = new Listeners(config, threads);
  if (reason !== undefined && (config.workers ?? 1) > 1) {
    logger.warn({ workers: config.workers }, `one thread serves all requests: ${reason}`);
  }
  const certificate = await certificateOf(config, logger);
  // Clocks, faults and worlds are those of one process.
  const isControlled = config.controls && config.shared === undefined;
  const shared = threads > 1 ? createSharedMemory(threads, systemRandom) : undefined;
  try {
    checkKinds(config);
    if (config.demo) checkCredentials(config.dataDirectory);
    if (config.secretKeys === undefined) checkSecretKey(config.dataDirectory);
    const hasToken = config.operatorToken !== undefined || (config.demo && willHaveOperatorToken(config.dataDirectory));
    await listeners.check(isControlled && hasToken, metricsPlaces(config, isControlled && hasToken));
    // Nobody resets the world of a server whose control is closed, and copies hold secrets.
    const isFirst = isControlled && isFirstStart(config);
    link = await linkTo(config, logger);
    const servers = link && sharedOver(link);
    const open = () => StandingWorld.open({ config, logger, shared, servers });
    const isSuccessor = inherited?.from === 'predecessor';
    // Before it is too late: the server that holds the stores goes on when this one cannot open them.
    if (isSuccessor) {
      checkRoom(config.dataDirectory);
      await checkKnownSchemas(config);
    }
    standing = await (isSuccessor ? takeOver(open, TAKE_OVER_MS + config.stop_ms) : open());
    const { world } = standing;
    if (isFirst) beginFirstStart(config.dataDirectory);
    for (const notice of standing.notices) logger.warn(notice);
    if (config.acceptLoss) logger.warn('stores were accepted as they are (BROADSIDE_ACCEPT_LOSS): unset it now');
    publication = publish(world, logger, restarts);
    for (const { advice, ...loose } of looseModes(config.dataDirectory)) logger.warn(loose, advice);
    for (const record of await world.seeds.records()) {
      if (!record.finished)
        logger.warn({ seed: record }, 'a run of `broadside seed` was cut off; the same again finishes it');
    }
    const urls: Record<ListenerName, string> = { api: '', ads: '', sandbox: '' };
    const localUrls = { ...urls };
    const inWorld = async <Result>(work: (one: World) => Promise<Result>): Promise<Result> => {
      const hosted = await worlds.enter(DEFAULT_ID);
      if (!hosted) throw new TypeError('the default world is always there');
      return work(hosted.services.world).finally(() => hosted.leave());
    };
    const readiness = new Readiness(inWorld, true);
    readiness.notice(() => (output?.lost ? `${output.lost} lines of the log were lost.` : undefined));
    readiness.notice(() => (output?.problem ? `The log cannot be written: ${output.problem}.` : undefined));
    readiness.notice(() => {
      const problem = 'problem' in world.nonces ? world.nonces.problem : undefined;
      return problem ? `Nonces are kept in memory only: ${problem}.` : undefined;
    });
    readiness.notice(() => certificate?.notice());
    readiness.require(() => link?.problem);
    const token = config.operatorToken ?? (await operatorToken(world, config.demo));
    const common = {
      rateLimits: config.rateLimits,
      operatorToken: token,
      mode: config.mode,
      journal: config.journal,
      telemetry,
      ...addressing(config, urls, dialects),
    };
    const backups = new RunningBackups({
      dataDirectory: config.dataDirectory,
      settings: config.backups,
      host: () => worlds,
      now: () => world.wallClock.now(),
      token,
      failed: (error) => logger.error({ err: error }, 'a backup has failed'),
    });
    const first = standing.serve((one, windows) =>
      keepingJournal(createServices(one, { ...common, readiness, windows, backups: () => backups })),
    );
    const worlds = new WorldHost<Services>({
      dataDirectory: config.dataDirectory,
      services: () => first,
      replacing: standing,
      open: (directory, options) =>
        World.open({
          dataDirectory: directory,
          ...options,
          serverNonces: world.place?.nonces,
          frugal: true,
          // Its secrets are sealed under a key of its own, and its media are files unless it is a copy of a world with objects.
          media: isShared(path.join(directory, 'media')) ? config.media : undefined,
          quotas: config.quotas,
          audienceProcessing: config.audienceProcessing,
        }),
      servicesOf: (one, addressPrefix) => keepingJournal(createServices(one, { ...common, addressPrefix })),
      addresses: () => urlMembers(urls),
      demo: (one) => ensureDemo(one, urls, { advertisement: true }),
      wallClock: world.wallClock,
      random: systemRandom,
      failed: (error, world_id) => logger.error({ err: error, world_id }, 'a world has failed at work of its own'),
    });
    host = worlds;
    const services = standingServices(first, worlds);
    const intake = new HttpIntake(config.httpLimits, config.trustedProxies, {
      counts: shared?.connections,
      random: world.credentialRandom,
      logger,
      closed: telemetry?.closed,
    });
    let readers: ReaderThreads | undefined;
    const metrics =
      telemetry?.figures && (await openMetrics({ telemetry, services, output, readers: () => readers, threads }));
    for (const listener of listenerNames) {
      const baseUrl = config.baseUrls[listener];
      const app = createApp({
        services,
        listener,
        baseUrl,
        host: config.host,
        trustedProxies: config.trustedProxies,
        crossOrigins: config.crossOrigins,
        intake,
        dialects: dialects.of(listener),
        tls: listenerTls(config, listener, certificate?.servers),
        logger,
      });
      apps.push(app);
      const port = await listeners.listen(app, listener);
      localUrls[listener] = `${schemeOf(config.tls, listener)}://${hostInUrl(config.host)}:${port}`;
      urls[listener] = baseUrl ?? localUrls[listener];
    }
    let control: string | undefined;
    if (isControlled && token !== undefined) {
      const { host: address } = config.control;
      const tls = listenerTls(config, 'control', certificate?.servers);
      const app = createApp({ services, listener: 'control', host: address, intake, tls, metrics, logger });
      apps.push(app);
      control = `${schemeOf(config.tls, 'control')}://${hostInUrl(address)}:${await listeners.listen(app, 'control')}`;
    }
    if (config.metrics && metrics) {
      metricsListener = await listenForMetrics(listeners, config.metrics, metrics, { token, control });
    }
    worker = await openWorkerOf(world, config, logger, (place, error) => listeners.errorAt(place, error));
    worlds.start();
    const credentialsFile = config.demo ? await ensureDemo(world, urls, { advertisement: true }) : undefined;
    if (isFirst) await keepOrigin(worlds, config, logger);
    // After the start, which they would slow down; until they listen, this thread serves alone.
    readers =
      shared &&
      (await startReaders({
        ...{ config, dialects: loaded, logger, world, apps, urls, token, threads, shared },
        tls: certificate?.servers.secrets,
        inherited,
        listening: (thread) => listeners.leaveTo(thread),
      }));
    let isEnding = false;
    readiness.require(() => (isEnding ? 'The server is stopping.' : undefined));
    readiness.require(() =>
      readers?.missing ? `${readers.missing} of ${threads} threads do not serve yet.` : undefined,
    );
    readiness.started();
    publication.ready(urls, localUrls, control);
    certificate?.watch((secrets) => readers?.renewCertificate(secrets));
    standing.begin(readers, async (one) => refreshAddresses(one, urls));
    logger.info({ urls, dataDirectory: config.dataDirectory }, 'ready');
    if (isSuccessor) sayServing();
    const ending = standing;
    return {
      urls,
      notices: standing.notices,
      localUrls,
      get world() {
        return ending.world;
      },
      credentialsFile,
      readers,
      controlUrl: control,
      reload: async () => certificate?.reload(),
      metricsUrl: metricsListener?.url,
      async startSuccessor() {
        // Each thread has sockets to pass on.
        await readers?.ready();
        const own = listeners.sockets;
        publication?.restarting();
        try {
          return await startSuccessor(readers ? readers.withSockets(own) : own, ownEnvironment());
        } catch (error) {
          if (error instanceof SuccessorError) publication?.restarting(error.message);
          throw error;
        }
      },
      async close({ isSucceeded = false } = {}) {
        isEnding = true;
        certificate?.close();
        intake.end();
        const { drain_ms, stop_ms } = config;
        const isFollowed = isSucceeded || listeners.areLasting;
        const wait_ms = tellingTime({ isFollowed, drain_ms: isSucceeded ? 0 : drain_ms });
        readers?.drain(wait_ms);
        await tellClients(wait_ms);
        const finish = cutOffLater(
          [...apps, ...(worker ? [worker] : [])].map(({ server }) => server),
          stop_ms,
          logger,
        );
        listeners.stop();
        ending.endWaits();
        host?.endWaits();
        await host?.stopGenerating();
        await metricsListener?.close();
        // What other threads pass on is answered until they have ended.
        await Promise.all([readers?.close(), worker?.close(), ...apps.map((app) => app.close())]);
        finish();
        publication?.withdraw();
        await backups.close();
        await host?.close();
        await ending.close();
        await telemetry?.close();
        link?.close();
      },
    };
  } catch (error) {
    certificate?.close();
    await worker?.close();
    await metricsListener?.close();
    await telemetry?.close();
    listeners.stop();
    await Promise.all(apps.map((app) => app.close()));
    publication?.withdraw();
    await host?.close();
    await standing?.close();
    link?.close();
    throw error;
  }
}

/** Keeps how the default world began. A start does not fail for it: without it, the world can be reset to snapshots only. */
async function keepOrigin(
  worlds: WorldHost<Services>,
  { dataDirectory, secretKeys }: Config,
  logger: Logger,
): Promise<void> {
  try {
    await worlds.keepOrigin({ withoutKeys: secretKeys !== undefined });
  } catch (error) {
    if (!(error instanceof NotReplaceableError)) {
      logger.warn({ err: error }, 'how the default world began is not kept; it can be reset to snapshots');
    }
  }
  endFirstStart(dataDirectory);
}

/** Says in the data directory who serves it. */
function publish(world: World, logger: Logger, restarts: Restarts | undefined): Publication {
  const started_at = new Date(world.wallClock.now()).toISOString();
  const facts = { started_at, version: packageVersion(), ...(restarts ? { restarts } : {}) };
  return publishServer(world.dataDirectory, facts, (error) =>
    logger.warn({ err: error }, 'server.json cannot be written; `broadside status` and `stop` do not find this server'),
  );
}

async function listenForMetrics(
  listeners: Listeners,
  settings: MetricsSettings,
  metrics: Exposition,
  { token, control }: { readonly token: string | undefined; readonly control: string | undefined },
): Promise<MetricsListener | undefined> {
  const place = metricsPlace(settings, control !== undefined);
  if (!place) return undefined;
  try {
    return await openMetricsListener(metrics, place, token);
  } catch (error) {
    if (error instanceof OpenMetricsError) throw new ListenError(error.message);
    throw listeners.errorAt(place, error);
  }
}

function metricsPlace(settings: MetricsSettings, hasControl: boolean): Place | undefined {
  const address = metricsAddress(settings, hasControl);
  return address && { ...address, settings: ['BROADSIDE_METRICS_PORT', 'BROADSIDE_METRICS_HOST'] };
}

/** The place of metrics, where it can be verified: a predecessor still listens there. */
function metricsPlaces({ metrics, inherited }: Config, hasControl: boolean): readonly Place[] {
  const place = metrics && inherited?.from !== 'predecessor' ? metricsPlace(metrics, hasControl) : undefined;
  return place ? [place] : [];
}
