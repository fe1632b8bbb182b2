/** The end of a server for its clients: they are told, their requests are finished, and what does not end is cut off. */
import type { Server } from 'node:http';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';

/**
 * The time in which clients with an open connection learn that it ends, where their next one is accepted by another process. A connection that
 * is closed while its client sends the next request is reset, so only those are closed that were not used for so long.
 */
const TELL_MS = 2000;

/** How a server ends. */
export interface EndOptions {
  /** The sockets are passed on or held by others: clients connect again at once. */
  readonly isFollowed: boolean;
  /** The time for which a server goes on while `/ready` says that it ends. */
  readonly drain_ms: number;
}

/** The time in which clients are told. */
export function tellingTime({ isFollowed, drain_ms }: EndOptions): number {
  return Math.max(drain_ms, isFollowed ? TELL_MS : 0);
}

/** Waits in a thread while its clients are told: each answer ends its connection. */
export async function tellClients(wait_ms: number): Promise<void> {
  if (wait_ms === 0) return;
  await pause(wait_ms);
  // A thread that was kept from running finds its timers first; what has arrived meanwhile is read before it closes connections.
  await turn();
  await turn();
}

/**
 * Cuts off what is under way when its time is over.
 * @returns ends that
 */
export function cutOffLater(servers: readonly Server[], stop_ms: number, logger: Pick<Logger, 'warn'>): () => void {
  const timer = setTimeout(async () => {
    const counts = await Promise.all(servers.map(connectionsOf));
    const connections = counts.reduce((sum, count) => sum + count, 0);
    if (connections === 0) return;
    logger.warn({ connections }, `requests under way were cut off after ${stop_ms / 1000} s (BROADSIDE_STOP_SECONDS)`);
    for (const server of servers) server.closeAllConnections();
  }, stop_ms);
  timer.unref();
  return () => clearTimeout(timer);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}
