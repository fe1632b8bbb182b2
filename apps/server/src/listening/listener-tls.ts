/** TLS of the listeners of a process. */
import type { RequestListener, Server } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { HttpIntake } from '../adapters/limits/intake.ts';
import type { Config } from '../config/config.ts';
import type { AppName } from '../listener-name.ts';
import { wallClock } from '../world/clock.ts';
import { systemRandom } from '../world/random.ts';
import { Certificate } from './certificate.ts';
import type { TlsServers } from './tls-servers.ts';

/** TLS of a listener. */
export interface ListenerTls {
  /**
   * Browsers may be told to use HTTPS alone for this host. Our choice: in production mode, where all public listeners speak TLS, since
   * what browsers remember counts for each port of the host.
   */
  readonly isStrict: boolean;
  /** Creates the server of the listener, with the limits that the framework would set. */
  serverFor(intake: HttpIntake, handler: RequestListener): Server;
}

/** Reads the certificate, if the configuration names one. @throws TlsFileError */
export async function certificateOf({ tls }: Config, logger: Logger): Promise<Certificate | undefined> {
  return tls && Certificate.read({ files: tls, clock: wallClock, random: systemRandom, logger });
}

/** TLS of a listener; nothing where it speaks plain HTTP. */
export function listenerTls(
  { tls, mode }: Config,
  listener: AppName,
  servers: TlsServers | undefined,
): ListenerTls | undefined {
  if (!servers || !tls?.listeners.includes(listener)) return undefined;
  const all: readonly AppName[] = ['api', 'ads', 'sandbox'];
  return {
    isStrict: mode === 'production' && all.every((name) => tls.listeners.includes(name)),
    serverFor(intake, handler) {
      const { header_ms, request_ms } = intake.limits;
      const server = servers.create({ requireHostHeader: false, ...intake.serverOptions }, header_ms, handler);
      server.keepAliveTimeout = KEEP_ALIVE_MS;
      server.requestTimeout = request_ms;
      server.setTimeout(0);
      return server;
    },
  };
}

/** Our choice: half a year. Names below the host may be other people's. */
const STRICT = `max-age=${180 * 24 * 60 * 60}`;

/** Has browsers that got a page use HTTPS alone for its host. */
export function keepToHttps(reply: FastifyReply): void {
  if (`${reply.getHeader('content-type')}`.startsWith('text/html'))
    void reply.header('strict-transport-security', STRICT);
}

/** The default of the framework, which a server of one's own does not get. */
const KEEP_ALIVE_MS = 72_000;
