/** An instant at which no write is under way in any store. */
import { type Awaitable, chain } from '../awaitable.ts';
import type { Database, Writer } from '../db/database.ts';
import { keepTurn } from '../db/turn-to-write.ts';
import { environments } from '../world/environment.ts';
import type { StoreName } from '../world/world-options.ts';
import type { CopyPart } from './copy-part.ts';

/** Ends a write without changes, so that nothing is committed for it. */
class Looked extends Error {
  override readonly name = 'Looked';
}

/**
 * Runs a body while it has the turn to write in all stores of a world: what was acknowledged before is committed, nothing is under way, and a
 * write of several stores has been done in all of them or in none. Other writes wait for the body, which has to be short: a server takes the turn from
 * one who keeps others waiting for 5 seconds.
 * @param shards stores that accounts are spread over: whoever writes one may wait for the store of its environment, and not the other way round
 * @throws what the body throws; WriteAbortedError when a store cannot be written, or a server has taken the turn before the body had ended
 */
export function atInstant<Result>(
  databases: Readonly<Record<StoreName, Database>>,
  body: () => Awaitable<Result>,
  shards: readonly Database[] = [],
): Promise<Result> {
  // In the order of joint writes, which have environments around the platform.
  return atInstantOf([...shards, ...environments.map((name) => databases[name]), databases.platform], body);
}

/** The same for some stores. @param stores in the order of {@link atInstant}: shards, environments, the platform */
export async function atInstantOf<Result>(stores: readonly Database[], body: () => Awaitable<Result>): Promise<Result> {
  const looked = new Looked();
  let outcome: { readonly result: Result } | undefined;
  const open = async ([database, ...others]: readonly Database[]): Promise<never> => {
    if (database === undefined) {
      return chain(body(), (result) => {
        outcome = { result };
        throw looked;
      });
    }
    return database.write((writer) => (database.isRemote ? keeping(writer, () => open(others)) : open(others)));
  };
  // On a server a transaction begins with its first statement, and may have ended by itself.
  const keeping = async (writer: Writer, work: () => Promise<never>): Promise<never> => {
    await keepTurn(writer);
    return work().catch(async (error: unknown) => {
      if (error === looked) await keepTurn(writer);
      throw error;
    });
  };
  try {
    await open(stores);
  } catch (error) {
    if (error !== looked) throw error;
  }
  if (outcome === undefined) throw new TypeError('the instant has passed without a look');
  return outcome.result;
}

/** Has the parts of a copy note their state, one after the other. */
export function lookAt(parts: readonly Pick<CopyPart, 'look'>[]): Awaitable<void> {
  const [first, ...others] = parts;
  return first === undefined ? undefined : chain(first.look(), () => lookAt(others));
}
