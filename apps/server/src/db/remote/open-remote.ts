/** Opens stores on libSQL servers. */
import { DatabaseOpenError, StoreUnreachableError, WeakStoreError } from '../errors.ts';
import { FILLING, fillingOf } from '../filling.ts';
import { readAddress } from './address.ts';
import { RemoteClient } from './remote-client.ts';

/** Options of {@link openRemote}. */
export interface RemoteOptions {
  readonly authToken?: string;
  readonly setting?: string;
  /** Milliseconds that the server has for each answer. */
  readonly patience?: number;
  readonly acceptWeakDurability?: ((warning: string) => void) | undefined;
  readonly isToBeFilled?: boolean;
}

/**
 * Connects to a store and checks that it is whole, and that its commits are durable, as each later connection does.
 * @throws DatabaseOpenError
 */
export async function openRemote(location: string, options: RemoteOptions): Promise<RemoteClient> {
  const address = readAddress(location, options.authToken);
  const where = options.setting === undefined ? address.shown : `${address.shown} (${options.setting})`;
  const accept = options.acceptWeakDurability;
  const client = new RemoteClient(address, { patience: options.patience, isDurable: accept === undefined });
  try {
    const store = { query: client.read.bind(client) };
    const [isDurable, filling] = await Promise.all([
      client.isDurable(),
      options.isToBeFilled ? undefined : fillingOf(store),
    ]);
    if (filling !== undefined) throw new DatabaseOpenError(where, FILLING);
    if (isDurable) return client;
    accept?.(
      `The store ${where} is not durable: ${WeakStoreError.reason}; set durability_mode of its namespace to "strong".`,
    );
    return client;
  } catch (error) {
    client.close();
    if (error instanceof DatabaseOpenError) throw error;
    const reason = error instanceof StoreUnreachableError ? error.reason : String(error);
    throw new DatabaseOpenError(where, reason.replaceAll('\n', ' '), error);
  }
}

/** Milliseconds that a replica has for an answer, before the primary is asked. */
const REPLICA_PATIENCE_MS = 400;

/** A replica of a store, which is connected to when it is asked for the first time. @throws DatabaseOpenError where the address is none */
export function openReplica(location: string, authToken: string | undefined): RemoteClient {
  return new RemoteClient(readAddress(location, authToken), { patience: REPLICA_PATIENCE_MS, takesReplicas: true });
}
