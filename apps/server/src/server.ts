/** A running server: a world behind three listeners. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { HttpIntake } from './adapters/limits/intake.ts';
import { createApp, createServices, type ListenerName, listenerNames } from './app.ts';
import type { Config } from './config/config.ts';
import { ensureDemo } from './demo/demo.ts';
import { operatorToken } from './demo/operator-token.ts';
import type { LogOutput } from './log-output.ts';
import { World } from './open-world.ts';
import { Readiness } from './readiness.ts';
import { addressing } from './server-addresses.ts';
import type { ReaderThreads } from './threads/reader-threads.ts';
import { createSharedMemory } from './threads/shared-memory.ts';
import { startReaders } from './threads/start-readers.ts';
import { singleThreadReason, threadCount } from './threads/thread-count.ts';
import { looseModes } from './world/loose-modes.ts';
import { systemRandom } from './world/random.ts';

/** A listener could not be opened. The message names the address and the setting. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

export interface RunningServer {
  /** The base URLs as clients use them. */
  readonly urls: Readonly<Record<ListenerName, string>>;
  readonly world: World;
  /** Path of the demo's credentials, if there is a demo. */
  readonly credentialsFile: string | undefined;
  /** The threads beside the main thread, if there are any. They may not all serve yet. */
  readonly readers: ReaderThreads | undefined;
  /** Finishes the requests in progress, then closes everything. */
  close(): Promise<void>;
}

/** The audience index is built so long after the start. */
const WARM_UP_MS = 1000;

const portSettings: Readonly<Record<ListenerName, string>> = {
  api: 'BROADSIDE_API_PORT',
  ads: 'BROADSIDE_ADS_PORT',
  sandbox: 'BROADSIDE_SANDBOX_PORT',
};

/**
 * Starts a server.
 * @param output where the lines of the logger go, so that `/ready` can say when they are lost
 * @throws ListenError, DatabaseOpenError, DataDirectoryInUseError, NewerDatabaseError; nothing is left open or changed.
 */
export async function startServer(config: Config, logger: Logger, output?: LogOutput): Promise<RunningServer> {
  const apps: FastifyInstance[] = [];
  let world: World | undefined;
  const reason = singleThreadReason();
  const threads = threadCount(config.workers, reason);
  if (reason !== undefined && (config.workers ?? 1) > 1) {
    logger.warn({ workers: config.workers }, `one thread serves all requests: ${reason}`);
  }
  const shared = threads > 1 ? createSharedMemory(threads, systemRandom) : undefined;
  try {
    await checkPorts(config);
    const opened = await World.open({
      sharedNonces: shared,
      dataDirectory: config.dataDirectory,
      stores: config.stores,
      media: config.media,
      secretKeys: config.secretKeys,
      quotas: config.quotas,
      audienceProcessing: config.audienceProcessing,
      acceptLoss: config.acceptLoss,
      onMigration: (store, step) => logger.info({ store, step }, 'migrating'),
    });
    if (config.acceptLoss) logger.warn('stores were accepted as they are (BROADSIDE_ACCEPT_LOSS): unset it now');
    world = opened;
    for (const { advice, ...loose } of looseModes(config.dataDirectory)) logger.warn(loose, advice);
    for (const record of await world.seeds.records()) {
      if (!record.finished)
        logger.warn({ seed: record }, 'a run of `broadside seed` was cut off; the same again finishes it');
    }
    const urls: Record<ListenerName, string> = { api: '', ads: '', sandbox: '' };
    const readiness = new Readiness(world, true);
    opened.onStorage((store, problem) => {
      if (problem === undefined) logger.info({ store }, 'the store is written again');
      else logger.error({ store, problem }, 'the store cannot be written; writes are answered with 503');
    });
    readiness.notice(() => (output?.lost ? `${output.lost} lines of the log were lost.` : undefined));
    readiness.notice(() => (output?.problem ? `The log cannot be written: ${output.problem}.` : undefined));
    readiness.notice(() => {
      const problem = 'problem' in opened.nonces ? opened.nonces.problem : undefined;
      return problem ? `Nonces are kept in memory only: ${problem}.` : undefined;
    });
    const token = config.operatorToken ?? operatorToken(world, config.demo);
    const services = createServices(world, {
      readiness,
      rateLimits: config.rateLimits,
      windows: shared?.windows,
      operatorToken: token,
      mode: config.mode,
      ...addressing(config, urls),
    });
    const intake = new HttpIntake(config.httpLimits, config.trustedProxies, shared?.connections);
    for (const listener of listenerNames) {
      const baseUrl = config.baseUrls[listener];
      const app = createApp({
        services,
        listener,
        baseUrl,
        host: config.host,
        trustedProxies: config.trustedProxies,
        intake,
        logger,
      });
      apps.push(app);
      const port = await listen(app, config, listener, shared !== undefined);
      urls[listener] = baseUrl ?? `http://${hostInUrl(config.host)}:${port}`;
    }
    const credentialsFile = config.demo ? await ensureDemo(world, urls, { advertisement: true }) : undefined;
    // After the start, which they would slow down; until they listen, this thread serves alone.
    const readers =
      shared && (await startReaders({ config, logger, world: opened, apps, urls, token, threads, shared }));
    readiness.require(() =>
      readers?.missing ? `${readers.missing} of ${threads} threads do not serve yet.` : undefined,
    );
    readiness.started();
    opened.members.onError((error) => logger.error({ err: error }, 'merging members failed; it will be tried again'));
    opened.jobs.start((error, job) => logger.error({ err: error, ...job }, 'a job failed; it will be tried again'));
    // So that the first estimate need not wait for it, and not yet, so that the first requests need not either. If it fails, that
    // estimate reports the error.
    const warmUp = setTimeout(() => {
      opened.audience
        .prepare()
        .catch((error: unknown) => logger.warn({ err: error }, 'the audience index was not built'));
    }, WARM_UP_MS);
    logger.info({ urls, dataDirectory: config.dataDirectory }, 'ready');
    return {
      urls,
      world,
      credentialsFile,
      readers,
      async close() {
        clearTimeout(warmUp);
        // What other threads pass on is answered until they have ended.
        await Promise.all([readers?.close(), ...apps.map((app) => app.close())]);
        await opened.close();
      },
    };
  } catch (error) {
    await Promise.all(apps.map((app) => app.close()));
    await world?.close();
    throw error;
  }
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

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

function listenError({ host, ports }: Config, listener: ListenerName, error: unknown): ListenError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = code === 'EADDRINUSE' ? 'the port is taken' : error instanceof Error ? error.message : String(error);
  return new ListenError(
    `Cannot listen on ${host}:${ports[listener]}: ${reason}. Set ${portSettings[listener]} or BROADSIDE_HOST.`,
  );
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

/** The host as clients on this machine name it: nobody can connect to a wildcard address. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
