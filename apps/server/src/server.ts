/** A running server: a world behind three listeners. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { HttpIntake } from './adapters/limits/intake.ts';
import { createApp, type ListenerName, listenerNames } from './app.ts';
import { RunningBackups } from './backup/running-backups.ts';
import { addressSettings, hostInUrl, schemeOf } from './config/addresses.ts';
import type { Config } from './config/config.ts';
import type { MetricsSettings } from './config/metrics-settings.ts';
import { createServices, standingServices } from './create-services.ts';
import { checkCredentials, ensureDemo, refreshAddresses, urlMembers } from './demo/demo.ts';
import { operatorToken } from './demo/operator-token.ts';
import { Dialects, loadDialects } from './dialects/dialects.ts';
import { keepingJournal } from './journal/keeping.ts';
import { certificateOf, listenerTls } from './listening/listener-tls.ts';
import type { LogOutput } from './log-output.ts';
import { isShared } from './media/blobs/shared-blobs.ts';
import { World } from './open-world.ts';
import { packageVersion } from './package-file.ts';
import type { Services } from './pipeline/services.ts';
import { findServer, type Publication, publishServer } from './place/server-file.ts';
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
import { looseModes } from './world/loose-modes.ts';
import { systemRandom } from './world/random.ts';
import { NotReplaceableError } from './worlds/errors.ts';
import { DEFAULT_ID } from './worlds/host-options.ts';
import { WorldHost } from './worlds/world-host.ts';

/** A listener could not be opened. The message names the address and the setting. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

export interface RunningServer {
  /** The base URLs as clients use them. */
  readonly urls: Readonly<Record<ListenerName, string>>;
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
  /** Finishes the requests in progress, then closes everything. */
  close(): Promise<void>;
}

/**
 * Starts a server.
 * @param output where the lines of the logger go, so that `/ready` can say when they are lost
 * @throws DialectFileError, TlsFileError, SharedStateError, ListenError, DatabaseOpenError, DataDirectoryInUseError, NewerDatabaseError; nothing is left open or changed.
 */
export async function startServer(config: Config, logger: Logger, output?: LogOutput): Promise<RunningServer> {
  const apps: FastifyInstance[] = [];
  const loaded = await loadDialects(config.dialects);
  const dialects = new Dialects(loaded);
  let standing: StandingWorld | undefined;
  let publication: Publication | undefined;
  let host: WorldHost<Services> | undefined;
  let link: RedisLink | undefined;
  let metricsListener: MetricsListener | undefined;
  const telemetry = await openTelemetry(config, 0, reportTraces(logger));
  const reason = singleThreadReason();
  // What they share is beside the threads of one process; more servers take the place of more threads.
  const threads = config.shared ? 1 : threadCount(config.workers, reason);
  if (reason !== undefined && (config.workers ?? 1) > 1) {
    logger.warn({ workers: config.workers }, `one thread serves all requests: ${reason}`);
  }
  const certificate = await certificateOf(config, logger);
  const isControlled = config.controls && config.shared === undefined;
  const shared = threads > 1 ? createSharedMemory(threads, systemRandom) : undefined;
  try {
    await checkPorts(config);
    if (config.demo) checkCredentials(config.dataDirectory);
    // Nobody resets the world of a server whose control is closed, and copies hold secrets.
    const isFirst = isControlled && isFirstStart(config);
    link = await linkTo(config, logger);
    standing = await StandingWorld.open({ config, logger, shared, servers: link && sharedOver(link) });
    const { world } = standing;
    if (isFirst) beginFirstStart(config.dataDirectory);
    if (config.acceptLoss) logger.warn('stores were accepted as they are (BROADSIDE_ACCEPT_LOSS): unset it now');
    publication = publish(world, logger);
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
      const port = await listen(app, config, listener, shared !== undefined);
      localUrls[listener] = `${schemeOf(config.tls, listener)}://${hostInUrl(config.host)}:${port}`;
      urls[listener] = baseUrl ?? localUrls[listener];
    }
    let control: string | undefined;
    if (isControlled && token !== undefined) {
      const { host: address } = config.control;
      const tls = listenerTls(config, 'control', certificate?.servers);
      const app = createApp({ services, listener: 'control', host: address, intake, tls, metrics, logger });
      apps.push(app);
      control = `${schemeOf(config.tls, 'control')}://${hostInUrl(address)}:${await listenForControl(app, config)}`;
    }
    if (config.metrics && metrics) {
      metricsListener = await listenForMetrics(config, config.metrics, metrics, { token, control });
    }
    worlds.start();
    const credentialsFile = config.demo ? await ensureDemo(world, urls, { advertisement: true }) : undefined;
    if (isFirst) await keepOrigin(worlds, config, logger);
    // After the start, which they would slow down; until they listen, this thread serves alone.
    readers =
      shared &&
      (await startReaders({
        ...{ config, dialects: loaded, logger, world, apps, urls, token, threads, shared },
        tls: certificate?.servers.secrets,
      }));
    readiness.require(() =>
      readers?.missing ? `${readers.missing} of ${threads} threads do not serve yet.` : undefined,
    );
    readiness.started();
    publication.ready(urls, localUrls, control);
    certificate?.watch((secrets) => readers?.renewCertificate(secrets));
    standing.begin(readers, async (one) => refreshAddresses(one, urls));
    logger.info({ urls, dataDirectory: config.dataDirectory }, 'ready');
    const ending = standing;
    return {
      urls,
      localUrls,
      get world() {
        return ending.world;
      },
      credentialsFile,
      readers,
      controlUrl: control,
      reload: async () => certificate?.reload(),
      metricsUrl: metricsListener?.url,
      async close() {
        certificate?.close();
        ending.endWaits();
        host?.endWaits();
        await host?.stopGenerating();
        await metricsListener?.close();
        // What other threads pass on is answered until they have ended.
        await Promise.all([readers?.close(), ...apps.map((app) => app.close())]);
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
    await metricsListener?.close();
    await telemetry?.close();
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
function publish(world: World, logger: Logger): Publication {
  const started_at = new Date(world.wallClock.now()).toISOString();
  return publishServer(world.dataDirectory, { started_at, version: packageVersion() }, (error) =>
    logger.warn({ err: error }, 'server.json cannot be written; `broadside status` and `stop` do not find this server'),
  );
}

/** @param shared other threads listen on the same port */
async function listen(app: FastifyInstance, config: Config, listener: ListenerName, shared: boolean): Promise<number> {
  const { host, ports } = config;
  const port = ports[listener];
  try {
    const options = { host, port, ...(shared ? { reusePort: true } : {}) };
    await app.listen(options);
  } catch (error) {
    throw listenError(config, listener, error);
  }
  const address = app.server.address();
  return isAddress(address) ? address.port : port;
}

async function listenForControl(app: FastifyInstance, config: Config): Promise<number> {
  const { host, port } = config.control;
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw failureOf(config, { host, port, setting: 'BROADSIDE_CONTROL_PORT' }, error);
  }
  const address = app.server.address();
  return isAddress(address) ? address.port : port;
}

async function listenForMetrics(
  config: Config,
  settings: MetricsSettings,
  metrics: Exposition,
  { token, control }: { readonly token: string | undefined; readonly control: string | undefined },
): Promise<MetricsListener | undefined> {
  const address = metricsAddress(settings, control !== undefined);
  if (!address) return undefined;
  try {
    return await openMetricsListener(metrics, address, token);
  } catch (error) {
    if (error instanceof OpenMetricsError) throw new ListenError(error.message);
    throw failureOf(config, { ...address, setting: 'BROADSIDE_METRICS_PORT' }, error);
  }
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

function listenError(config: Config, listener: ListenerName, error: unknown): ListenError {
  const { host, ports } = config;
  return failureOf(config, { host, port: ports[listener], setting: addressSettings.ports[listener], listener }, error);
}

/** An address that cannot be listened on, and the setting of its port. */
interface FailedAddress {
  readonly host: string;
  readonly port: number;
  readonly setting: string;
  readonly listener?: ListenerName;
}

function failureOf(
  { dataDirectory, cli }: Config,
  { host, port, setting, listener = 'api' }: FailedAddress,
  error: unknown,
): ListenError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const running = code === 'EADDRINUSE' ? findServer(dataDirectory) : undefined;
  if (running?.isHere && running.pid !== process.pid) {
    const at = running.urls ? ` at ${running.urls?.[listener]}` : '';
    return new ListenError(
      `A server runs on this data directory already: process ${running.pid}${at}. \`${cli} stop\` ends it.`,
    );
  }
  const reason = code === 'EADDRINUSE' ? 'the port is taken' : error instanceof Error ? error.message : String(error);
  return new ListenError(`Cannot listen on ${host}:${port}: ${reason}. Set ${setting} or BROADSIDE_HOST.`);
}

/**
 * Verifies that all ports can be listened on, before anything is written. Sockets that share a port do not find out by themselves
 * that another server of this user shares it.
 * @throws ListenError
 */
async function checkPorts(config: Config): Promise<void> {
  const probes: Server[] = [];
  try {
    for (const listener of listenerNames) {
      const probe = createServer();
      try {
        probe.listen({ host: config.host, port: config.ports[listener] });
        await once(probe, 'listening');
      } catch (error) {
        throw listenError(config, listener, error);
      }
      probes.push(probe);
    }
  } finally {
    // All at once, so that two listeners with one port are found too.
    await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  }
}
