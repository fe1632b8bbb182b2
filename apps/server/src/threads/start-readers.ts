import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { ListenerName } from '../app.ts';
import { NonceRegistry } from '../auth/nonces.ts';
import type { Config } from '../config/config.ts';
import type { LoadedDialects } from '../dialects/dialects.ts';
import type { InheritedSockets } from '../listening/inherited-sockets.ts';
import type { TlsSecrets } from '../listening/tls-servers.ts';
import type { World } from '../open-world.ts';
import { ReaderThreads } from './reader-threads.ts';
import type { SharedMemory } from './shared-memory.ts';

/** The parts of a server whose main thread listens. */
interface Started {
  readonly config: Config;
  readonly dialects: LoadedDialects;
  readonly logger: Logger;
  readonly world: World;
  /** By listener, in the order of `listenerNames`. */
  readonly apps: readonly FastifyInstance[];
  readonly urls: Readonly<Record<ListenerName, string>>;
  /** The token of the operator. */
  readonly token: string | undefined;
  /** The number of threads, the main thread included. */
  readonly threads: number;
  readonly shared: SharedMemory;
  /** The certificate, where listeners speak TLS. */
  readonly tls: TlsSecrets | undefined;
  /** The sockets of the server before this one. */
  readonly inherited: InheritedSockets | undefined;
  /** Called when a thread listens. */
  readonly listening: (thread: number) => void;
}

/** Starts the reader threads of a server. @returns them before they listen */
export async function startReaders(started: Started): Promise<ReaderThreads> {
  const { config, dialects, logger, world, apps, urls, token, threads, shared, tls, inherited, listening } = started;
  const { nonces, stores, platformKey, random, time, faults } = world;
  if (!(nonces instanceof NonceRegistry)) throw new TypeError('reader threads belong to a world that writes');
  return ReaderThreads.start({
    config,
    dialects,
    operatorToken: token,
    urls,
    generations: stores.generations,
    time: time.buffer,
    platformKey,
    faults: faults.memory,
    count: threads - 1,
    apps,
    tls,
    sockets: inherited?.sockets,
    listening,
    shared,
    registry: nonces,
    random,
    logger,
  });
}
