/** How the operator names the stores that accounts are on. */
import type { Reject } from '@broadside/core';
import { DIRECTORY } from '../../world/shards/places.ts';

/** How the store of the directory is named. */
const DIRECTORY_NAME = 'directory';

/** Returns the shard that a name of the operator's means; empty for the store of the directory. @throws ApiError INVALID_PARAMETER */
export function shardNamed(
  reject: Reject<'INVALID_PARAMETER'>,
  names: readonly string[],
  parameter: string,
  name: string,
): string {
  if (names.includes(name)) return name;
  if (name === DIRECTORY_NAME) return DIRECTORY;
  const known = [...names, DIRECTORY_NAME].join(', ');
  const message = `There is no shard ${name}; there ${names.length === 0 ? 'is only' : 'are'} ${known}`;
  throw reject.error({ error: 'INVALID_PARAMETER', parameter, value: name, message });
}

/** Returns the name of a shard for the operator. */
export function nameOfShard(shard: string): string {
  return shard === DIRECTORY ? DIRECTORY_NAME : shard;
}
