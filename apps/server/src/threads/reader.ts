/** A reader thread: serves reads by itself, and passes everything else on to the main thread. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Logger } from 'pino';
import { HttpIntake } from '../adapters/limits/intake.ts';
import { UnusedConnections } from '../adapters/limits/unused-connections.ts';
import type { SocketForm } from '../adapters/rest/malformed.ts';
import { errorAnswer, numberedErrorAnswer } from '../adapters/rest/routes.ts';
import { environmentOf, type ListenerName } from '../app.ts';
import { createServices } from '../create-services.ts';
import { dataNames } from '../data-names.ts';
import { Dialects } from '../dialects/dialects.ts';
import type { Handed } from '../journal/journal.ts';
import { cutOffLater, tellClients } from '../listening/ending.ts';
import { descriptorOf } from '../listening/inherited-sockets.ts';
import { TlsServers } from '../listening/tls-servers.ts';
import { createThreadLogger } from '../log.ts';
import { World } from '../open-world.ts';
import type { Services } from '../pipeline/execute.ts';
import { readerRoute } from '../reader-route.ts';
import { addressing } from '../server-addresses.ts';
import { openTelemetry } from '../telemetry/open-telemetry.ts';
import { reportTraces } from '../telemetry/report-traces.ts';
import { wallClock } from '../world/clock.ts';
import { DEFAULT_ID } from '../worlds/host-options.ts';
import { HostedWorld } from '../worlds/hosted-world.ts';
import { LineQueue } from './line-queue.ts';
import { NonceGrant } from './nonce-grant.ts';
import { PassOn } from './pass-on.ts';
import type { FromReader, ReaderListener, ReaderStart, ReaderWorld, ToReader } from './protocol.ts';
import { ReaderNonces } from './reader-nonces.ts';
import { SharedConnections } from './shared-connections.ts';
import { SharedNonces } from './shared-nonces.ts';
import { SharedWindows } from './shared-windows.ts';
import { elsewhere } from './worlds-elsewhere.ts';

/** Serves until the main thread says to stop. */
export async function runReader(): Promise<void> {
  const start: ReaderStart = workerData;
  const { thread, config, urls } = start;
  const lines = new LineQueue((handed) => send({ kind: 'log', handed }, [handed.bytes.buffer]), start.lines);
  // Also when an error ends the thread.
  process.once('exit', () => lines.flush());
  parentPort?.on('message', (message: ToReader) => {
    if (message.kind === 'logged') lines.taken(message.lines);
  });
  const logger = createThreadLogger(config, lines);
  const telemetry = await openTelemetry(config, thread, reportTraces(logger));
  const nonces = new ReaderNonces({
    directory: path.join(config.dataDirectory, dataNames.nonces),
    shared: new SharedNonces(start.nonces),
    grant: new NonceGrant(start.grant),
    report: (written) => send({ kind: 'nonces', written }),
  });
  const dialects = new Dialects(start.dialects);
  const enter = async (shown: ReaderWorld): Promise<HostedWorld<Services>> => {
    const world = await World.openReading({
      dataDirectory: config.dataDirectory,
      stores: config.stores,
      secretKeys: config.secretKeys,
      audienceProcessing: config.audienceProcessing,
      generations: shown.generations,
      time: shown.time,
      platformKey: shown.platformKey,
      faults: shown.faults,
      nonces,
    });
    const services = createServices(world, {
      rateLimits: config.rateLimits,
      windows: new SharedWindows(shown.windows, thread),
      operatorToken: start.operatorToken,
      mode: config.mode,
      journal: config.journal,
      telemetry,
      runsJobs: false,
      ...addressing(config, urls, dialects),
      worlds: elsewhere(() => hosted),
    });
    const hosted = new HostedWorld<Services>(DEFAULT_ID, services, wallClock);
    return hosted;
  };
  let hosted = await enter(start);
  const { services } = hosted;
  const counts = new SharedConnections(start.connections, thread);
  const intake = new HttpIntake(config.httpLimits, config.trustedProxies, {
    counts,
    random: services.world.credentialRandom,
    logger,
    closed: telemetry?.closed,
  });
  const tls = start.tls && new TlsServers(start.tls);
  const listening: Listening[] = [];
  for (const listener of start.listeners)
    listening.push(...(await listen(start, listener, services, dialects, intake, logger, tls)));
  const serve = (by: Services | undefined) => {
    for (const { serveBy } of listening) serveBy(by);
  };
  const leave = async () => {
    serve(undefined);
    await hosted.end();
    await hosted.services.world.closeReading();
  };
  // One after the other: the world may be replaced again before it was entered.
  let entering = Promise.resolve();
  let told = Promise.resolve();
  const stopped = new Promise<void>((resolve, reject) => {
    const then = (step: () => Promise<void>) => {
      entering = entering.then(step);
      entering.catch(reject);
    };
    parentPort?.on('message', (message: ToReader) => {
      switch (message.kind) {
        case 'drain':
          for (const { drain } of listening) drain();
          told = tellClients(message.wait_ms);
          return;
        case 'stop':
          return resolve(entering);
        case 'pause':
          return then(async () => {
            await leave();
            send({ kind: 'paused' });
          });
        case 'resume':
          return then(async () => {
            hosted = await enter(message.world);
            serve(hosted.services);
          });
        case 'certificate':
          return tls?.renew(message.tls);
        case 'journal': {
          const { journal } = hosted.services;
          return send({ kind: 'journal', handed: journal?.hand(message.most) ?? NOTHING_HANDED });
        }
        case 'figures':
          return send({ kind: 'figures', figures: telemetry?.figures?.figures() ?? [] });
        default:
      }
    });
  });
  const socketsOf = (name: ListenerName) => listening.flatMap((one) => (one.name === name ? one.sockets : []));
  send({
    kind: 'listening',
    sockets: { api: socketsOf('api'), ads: socketsOf('ads'), sandbox: socketsOf('sandbox') },
  });
  await stopped;
  await told;
  await Promise.all(listening.map(({ close }) => close()));
  const { journal } = hosted.services;
  if (journal) send({ kind: 'journal', handed: journal.hand(Number.POSITIVE_INFINITY) });
  await hosted.services.world.closeReading();
  nonces.close();
  await telemetry?.close();
  lines.flush();
  parentPort?.close();
}

const NOTHING_HANDED: Handed = { requests: [], forgotten: undefined };

interface Listening {
  readonly name: ListenerName;
  /** The descriptors of its sockets. */
  readonly sockets: readonly number[];
  /** Has each answer end its connection. */
  drain(): void;
  /** Has requests served with these services from now on; without any, all are passed on to the main thread. */
  serveBy(services: Services | undefined): void;
  /** Finishes what is under way. */
  close(): Promise<void>;
}

/** Listens on the addresses of a listener, beside the main thread. */
async function listen(
  { thread, config, secret, inherited }: ReaderStart,
  { name, addresses, socketPath, limits, secure }: ReaderListener,
  services: Services,
  dialects: Dialects,
  intake: HttpIntake,
  logger: Logger,
  tls: TlsServers | undefined,
): Promise<Listening[]> {
  const pass = new PassOn({ socketPath, secret });
  const passOn = (request: IncomingMessage, response: ServerResponse) => pass.pass(request, response);
  const routeBy = (by: Services | undefined) =>
    by === undefined
      ? passOn
      : readerRoute({
          services: by,
          listener: name,
          baseUrl: config.baseUrls[name],
          host: config.host,
          scheme: secure ? 'https' : 'http',
          crossOrigins: config.crossOrigins,
          dialects: dialects.of(name),
          logger,
          thread,
          pass: passOn,
          // It may have been asked for before the server was to close.
          onFinish: () => {
            if (closing) setImmediate(() => closeIdle());
          },
        });
  let serve = routeBy(services);
  // A body is read by the main thread, so no answer knows its request.
  const answer = environmentOf[name] ? errorAnswer : numberedErrorAnswer;
  const form: SocketForm = (error) => answer(error);
  let ending = false;
  let closing = false;
  const opened: { readonly server: Server; readonly unused: UnusedConnections }[] = [];
  const closeIdle = () => {
    for (const { server } of opened) server.closeIdleConnections();
  };
  for (const [index, { host, port }] of addresses.entries()) {
    const options = { requireHostHeader: false, noDelay: true, ...intake.serverOptions };
    const handler = intake.inOrder((request, response) => {
      // It was read together with those for which the connection was closed.
      if (request.socket.destroyed) return;
      if (ending) response.shouldKeepAlive = false;
      if (closing) {
        // The connection is idle with the end of the response, and would delay the end of the thread.
        response.on('close', () => setImmediate(() => server.closeIdleConnections()));
      }
      serve(request, response);
    });
    const server =
      secure && tls ? tls.create(options, config.httpLimits.header_ms, handler) : createServer(options, handler);
    Object.assign(server, limits);
    intake.applyConnections(server, form);
    const unused = new UnusedConnections(server);
    server.on('clientError', intake.failing(form));
    const fd = index === 0 ? inherited?.[name] : undefined;
    server.listen(fd === undefined ? { host, port, reusePort: true } : { fd });
    await once(server, 'listening');
    opened.push({ server, unused });
  }
  return opened.map(({ server, unused }) => ({
    name,
    sockets: [descriptorOf(server) ?? []].flat(),
    drain() {
      ending = true;
    },
    serveBy(by) {
      serve = routeBy(by);
    },
    async close() {
      ending = true;
      closing = true;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      unused.end();
      const finish = cutOffLater([server], config.stop_ms, logger);
      await closed;
      finish();
      pass.close();
    },
  }));
}

/** @param transferred buffers of the message that are transferred, not copied */
function send(message: FromReader, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}
