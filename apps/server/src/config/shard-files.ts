/** Which shards of a platform are files. */
import { fileOfLocation } from '../db/open-database.ts';
import { type Environment, environments } from '../world/environment.ts';
import type { ShardConfig } from './shard-settings.ts';

/** A shard that is a file. */
export interface ShardFile {
  readonly environment: Environment;
  readonly name: string;
  readonly file: string;
}

/** The shards that are files. @throws DatabaseOpenError for a location that is none */
export function shardFiles(shards: ShardConfig): readonly ShardFile[] {
  return located(shards).flatMap(({ file, ...shard }) => (file === undefined ? [] : [{ ...shard, file }]));
}

/** The shards that are on servers. @throws DatabaseOpenError for a location that is none */
export function shardsOnServers(shards: ShardConfig): readonly Pick<ShardFile, 'environment' | 'name'>[] {
  return located(shards).filter(({ file }) => file === undefined);
}

function located(shards: ShardConfig) {
  return environments.flatMap((environment) =>
    (shards[environment] ?? []).map(({ name, url }) => ({ environment, name, file: fileOfLocation(url) })),
  );
}
