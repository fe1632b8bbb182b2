/** An instant at which no write is under way in any store. */
import type { Database } from '../db/database.ts';
import { environments } from '../world/environment.ts';
import type { StoreName } from '../world/world-options.ts';

/** Ends a write without changes, so that nothing is committed for it. */
class Looked extends Error {
  override readonly name = 'Looked';
}

/**
 * Runs a body while it has the turn to write in all stores: what was acknowledged before is committed, nothing is under way, and a
 * write of several stores has been done in all of them or in none. Other writes wait for the body, which has to be short.
 * @param shards stores that accounts are spread over: whoever writes one may wait for the store of its environment, and not the other way round
 * @throws what the body throws; WriteAbortedError when a store cannot be written
 */
export async function atInstant<Result>(
  databases: Readonly<Record<StoreName, Database>>,
  body: () => Result,
  shards: readonly Database[] = [],
): Promise<Result> {
  const looked = new Looked();
  let outcome: { readonly result: Result } | undefined;
  // In the order of joint writes, which have environments around the platform.
  const open = async ([database, ...others]: readonly Database[]): Promise<never> => {
    if (database === undefined) {
      outcome = { result: body() };
      throw looked;
    }
    return database.write(() => open(others));
  };
  try {
    await open([...shards, ...environments.map((name) => databases[name]), databases.platform]);
  } catch (error) {
    if (error !== looked) throw error;
  }
  if (outcome === undefined) throw new TypeError('the instant has passed without a look');
  return outcome.result;
}
