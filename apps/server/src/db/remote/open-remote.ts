/** Opens stores on libSQL servers. */
import { DatabaseOpenError, StoreUnreachableError } from '../errors.ts';
import { readAddress } from './address.ts';
import { RemoteClient } from './remote-client.ts';

/** Options of {@link openRemote}. */
export interface RemoteOptions {
  readonly authToken?: string;
  readonly setting?: string;
  /** Milliseconds that the server has for each answer. */
  readonly patience?: number;
  readonly acceptWeakDurability?: ((warning: string) => void) | undefined;
}

/** The lowest value of `PRAGMA synchronous` with which each commit is synced: FULL. */
const FULL = 2n;

/**
 * Connects to a store and checks that its commits are durable.
 * @throws DatabaseOpenError
 */
export async function openRemote(location: string, options: RemoteOptions): Promise<RemoteClient> {
  const address = readAddress(location, options.authToken);
  const where = options.setting === undefined ? address.shown : `${address.shown} (${options.setting})`;
  const client = new RemoteClient(address, options.patience);
  try {
    const [[synchronous] = []] = await client.read('PRAGMA synchronous');
    if (typeof synchronous === 'bigint' && synchronous >= FULL) return client;
    const weak = 'its server acknowledges commits that a failure of the power can undo';
    const way = 'set durability_mode of its namespace to "strong"';
    if (options.acceptWeakDurability === undefined) {
      throw new DatabaseOpenError(where, `${weak}; ${way}, or accept it: BROADSIDE_ACCEPT_WEAK_DURABILITY=1`);
    }
    options.acceptWeakDurability(`The store ${where} is not durable: ${weak}; ${way}.`);
    return client;
  } catch (error) {
    client.close();
    if (error instanceof DatabaseOpenError) throw error;
    const reason = error instanceof StoreUnreachableError ? error.reason : String(error);
    throw new DatabaseOpenError(where, reason.replaceAll('\n', ' '), error);
  }
}
