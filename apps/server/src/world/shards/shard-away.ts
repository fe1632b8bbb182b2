/** Reads over several shards say which one does not respond. */
import type { Awaitable } from '../../awaitable.ts';
import { storageFailure } from '../../db/storage-failure.ts';
import { DIRECTORY } from './places.ts';

/** A shard did not respond to a read of the operator, who may ask for what the others have. */
export class ShardAwayError extends Error {
  override readonly name = 'ShardAwayError';

  constructor(shard: string, cause: unknown) {
    super(`The shard ${shard} does not respond; try again later, or name an account that is elsewhere`, { cause });
  }
}

/** Reads a store that holds accounts. @param shard its name; empty for that of the directory @throws ShardAwayError */
export async function readOfShard<Result>(shard: string, read: () => Awaitable<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw shard === DIRECTORY || storageFailure(error) === undefined ? error : new ShardAwayError(shard, error);
  }
}
