/** Has a server do the audience work of its platform for the others. */
import type { Server } from 'node:http';
import { ApiError } from '@broadside/core';
import type { Logger } from 'pino';
import { OtherRangesError } from '../audience/audience-store.ts';
import type { InternalAddress, RoleSettings } from '../config/role-settings.ts';
import type { Place } from '../listening/listeners.ts';
import { plainUrl } from '../listening/plain-url.ts';
import { asUnavailable } from '../pipeline/unavailable.ts';
import { FIRST_PLACE } from '../servers/audience-places.ts';
import type { MembersKeeper } from '../servers/members-keeper.ts';
import type { PlatformServers, PlatformWorkers } from '../servers/platform-servers.ts';
import type { World } from '../world/world.ts';
import { listenForCalls, type Refusal } from './internal-listener.ts';
import { doCall } from './own-work.ts';
import { putWorkerAddress } from './worker-address.ts';
import type { WorkerShare } from './worker-share.ts';

/** The listener of a worker. */
export interface OpenWorker {
  /** How other servers reach it. */
  readonly url: string;
  readonly server: Server;
  /** Answers the calls in progress, and takes no more. */
  close(): Promise<void>;
}

interface Options {
  readonly world: World;
  readonly servers: PlatformServers;
  readonly working: PlatformWorkers;
  readonly share: WorkerShare;
  readonly address: InternalAddress;
  readonly logger: Logger;
}

/** Says why nothing can listen at a place. */
type ListenErrorAt = (place: Place, error: unknown) => Error;

/** Opens the listener of a server that is a worker. @throws what `errorAt` returns, where its address cannot be listened on */
export async function openWorkerOf(
  world: World,
  { internal }: RoleSettings,
  logger: Logger,
  errorAt: ListenErrorAt,
): Promise<OpenWorker | undefined> {
  const { servers } = world;
  const { working } = servers ?? {};
  if (!servers || !working?.share) return undefined;
  try {
    const worker = await openWorker({ world, servers, working, share: working.share, address: internal, logger });
    const { membersElsewhere } = servers;
    logger.info({ url: worker.url, membersElsewhere }, `the other servers have ${workAt(working.keeper)} here`);
    return worker;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw errorAt({ ...internal, settings: ['BROADSIDE_INTERNAL_ADDRESS'] }, error);
  }
}

/** Listens, and says so in the store of the platform. @throws as `listenForCalls` does */
async function openWorker({ world, servers, working, share, address, logger }: Options): Promise<OpenWorker> {
  const { host, port } = address;
  const { keeper } = working;
  const place = keeper?.directory ?? servers.registration.leases.owner;
  const server = await listenForCalls({
    host,
    port,
    place,
    logger,
    platformKey: world.platformKey,
    now: () => world.wallClock.now(),
    refusalOf,
    answer: async (name, body) => {
      keeper?.check();
      const result = await doCall(world, name, body);
      // What another process may have taken over meanwhile is not acknowledged.
      keeper?.check();
      return result;
    },
  });
  const close = async () => {
    await share.stop();
    await closed(server);
  };
  const url = address.url ?? plainUrl(server, host);
  try {
    if (keeper) await putWorkerAddress(servers.facts, keeper.place, { place, url });
    const onError = (error: unknown) =>
      logger.warn({ err: error }, 'sharing people with other workers failed; it is tried again');
    await share.start({ address: { place, url }, index: world.audience, onError });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, server, close };
}

/** What a worker does for others, for its log. */
function workAt(keeper: MembersKeeper | undefined): string {
  if (!keeper) return 'some of the people counted';
  return keeper.place === FIRST_PLACE
    ? 'their work on audiences'
    : 'some of the people counted, and some audiences kept,';
}

/** What other servers are told of an error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof OtherRangesError) return { status: 421, message: 'Other workers have that.' };
  const known = asUnavailable(error);
  if (known instanceof ApiError) return { status: 503, message: known.message };
  return { status: 500, message: 'It failed.' };
}

async function closed(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
