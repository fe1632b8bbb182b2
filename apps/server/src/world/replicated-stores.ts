/** The replicas of the stores of an environment, and the marks by which they are read. */
import type { Database } from '../db/database.ts';
import { Replicas } from '../db/replicas.ts';
import { beginMarks } from '../db/store-identity.ts';
import type { SharedState } from '../shared/shared-state.ts';
import { type Environment, environments } from './environment.ts';
import { isOnServer, locationOf } from './store-locations.ts';
import type { StoreName, WorldOptions } from './world-options.ts';

/** Replicas by environment. */
export type ReplicasByEnvironment = { readonly [Name in Environment]?: Replicas };

/**
 * Has commits of stores on servers marked, where some server reads replicas of them, and opens those that this one reads.
 * @param shared without it nothing is known of the writes of others, and no replica is read
 * @throws DatabaseOpenError where an address is none
 */
export async function openReplicas(
  options: WorldOptions,
  databases: Readonly<Record<StoreName, Database>>,
  shared: SharedState | undefined,
): Promise<ReplicasByEnvironment> {
  const opened: { [Name in Environment]?: Replicas } = {};
  for (const name of environments) {
    if (!isOnServer(options, name)) continue;
    const database = databases[name];
    database.markCommits(shared && ((scopes, mark) => shared.marks.announce(name, scopes, mark)));
    const urls = options.replicas?.[name] ?? [];
    if (shared === undefined || urls.length === 0) continue;
    const { openReplica } = await import('../db/remote/open-remote.ts');
    const { authToken } = locationOf(options, name);
    const stores = urls.map((url, i) => ({
      name: urls.length === 1 ? `${name} replica` : `${name} replica ${i + 1}`,
      store: openReplica(url, authToken),
    }));
    await beginMarks(database);
    const replicas = new Replicas(database, stores);
    shared.marks.follow(name, replicas);
    opened[name] = replicas;
  }
  return opened;
}

/** Ends the reads of replicas. */
export async function closeReplicas(replicas: ReplicasByEnvironment): Promise<void> {
  for (const name of environments) await replicas[name]?.close();
}

/** The names of replicas that do not respond. */
export function awayOf(replicas: ReplicasByEnvironment): string[] {
  const states = environments.flatMap((name) => replicas[name]?.states ?? []);
  return states.filter(({ isAway }) => isAway).map(({ name }) => name);
}
