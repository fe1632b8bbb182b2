/** A running server: a world behind three listeners. */
import type { AddressInfo } from 'node:net';
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
  /** Finishes the requests in progress, then closes everything. */
  close(): Promise<void>;
}

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
  try {
    const opened = await World.open({
      dataDirectory: config.dataDirectory,
      stores: config.stores,
      media: config.media,
      secretKeys: config.secretKeys,
      audienceProcessing: config.audienceProcessing,
      acceptLoss: config.acceptLoss,
    });
    if (config.acceptLoss) logger.warn('stores were accepted as they are (BROADSIDE_ACCEPT_LOSS): unset it now');
    world = opened;
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
    const services = createServices(world, {
      readiness,
      rateLimits: config.rateLimits,
      operatorToken: config.operatorToken ?? operatorToken(world, config.demo),
      mode: config.mode,
      baseUrls: () => Object.values(urls).filter((url) => url !== ''),
      platformUrl: (reached) => config.baseUrls.api ?? siblingUrl(reached, urls.api),
    });
    const intake = new HttpIntake(config.httpLimits, config.trustedProxies);
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
      const port = await listen(app, config, listener);
      urls[listener] = baseUrl ?? `http://${hostInUrl(config.host)}:${port}`;
    }
    const credentialsFile = config.demo ? await ensureDemo(world, urls, { advertisement: true }) : undefined;
    readiness.started();
    opened.members.onError((error) => logger.error({ err: error }, 'merging members failed; it will be tried again'));
    opened.jobs.start((error, job) => logger.error({ err: error, ...job }, 'a job failed; it will be tried again'));
    // So that the first estimate need not wait for it. If it fails, that estimate reports the error.
    opened.audience
      .prepare()
      .catch((error: unknown) => logger.warn({ err: error }, 'the audience index was not built'));
    logger.info({ urls, dataDirectory: config.dataDirectory }, 'ready');
    return {
      urls,
      world,
      credentialsFile,
      async close() {
        await Promise.all(apps.map((app) => app.close()));
        await opened.close();
      },
    };
  } catch (error) {
    await Promise.all(apps.map((app) => app.close()));
    await world?.close();
    throw error;
  }
}

async function listen(app: FastifyInstance, config: Config, listener: ListenerName): Promise<number> {
  const { host, ports } = config;
  const port = ports[listener];
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = code === 'EADDRINUSE' ? 'the port is taken' : error instanceof Error ? error.message : String(error);
    throw new ListenError(
      `Cannot listen on ${host}:${port}: ${reason}. Set ${portSettings[listener]} or BROADSIDE_HOST.`,
    );
  }
  const address = app.server.address();
  return isAddress(address) ? address.port : port;
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

let latest = { reached: '', other: '', origin: '' };

/** The address of another listener of this server, by the host under which a client reached one. Most reach the same. */
function siblingUrl(reached: string, other: string): string {
  if (latest.reached === reached && latest.other === other) return latest.origin;
  const url = new URL(reached);
  url.port = new URL(other).port;
  latest = { reached, other, origin: url.origin };
  return url.origin;
}

/** The host as clients on this machine name it: nobody can connect to a wildcard address. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
