/** The shards of a platform as a check finds them: files that it opens. */
import { type ShardFile, shardFiles } from '../config/shard-files.ts';
import type { ShardConfig } from '../config/shard-settings.ts';
import type { Database } from '../db/database.ts';
import { namesOfShards } from '../db/place-findings.ts';
import { isUsed, storeIdentity } from '../db/store-identity.ts';
import type { Environment } from '../world/environment.ts';
import { type StoreName, shardSettings } from '../world/world-options.ts';

/** A store that is checked. */
export type CheckedStore = StoreName | `${Environment}/${string}`;

/** A shard that is a file. */
export interface CheckedShard extends ShardFile {
  readonly store: `${Environment}/${string}`;
}

/** The shards that are files. @throws DatabaseOpenError for a location that is none */
export function checkedShards(shards: ShardConfig): readonly CheckedShard[] {
  return shardFiles(shards).map((shard) => ({ ...shard, store: `${shard.environment}/${shard.name}` }));
}

/** Returns which of the shards hold anything: one that was never opened is an empty file, or none. */
export async function usedShards(
  shards: readonly CheckedShard[],
  open: ReadonlyMap<CheckedStore, Database>,
): Promise<readonly CheckedShard[]> {
  const used: CheckedShard[] = [];
  for (const shard of shards) {
    const database = open.get(shard.store);
    if (database && (await storeIdentity(database))) used.push(shard);
  }
  return used;
}

/** Returns what keeps a store from being the shard that the settings name; nothing of it can be said then. @param found the store, where its file is there */
export async function foreignShard(
  { store, environment, name }: CheckedShard,
  found: Database | undefined,
  directory: Database,
  platform: Database,
): Promise<{ readonly what: string; readonly remedy: string } | undefined> {
  const isKnown = (await namesOfShards(directory)).has(name);
  const restore = 'restore a backup';
  if (found === undefined) {
    return isKnown ? { what: 'the file is missing', remedy: restore } : undefined;
  }
  const setting = `correct its URL in ${shardSettings[environment]}`;
  const [identity, own] = [await storeIdentity(found), await storeIdentity(platform)];
  if (identity === undefined) {
    if (isKnown) return { what: 'it is empty, and had accounts before', remedy: restore };
    return (await isUsed(found)) ? { what: 'it is no shard of this platform', remedy: setting } : undefined;
  }
  if (identity.platform !== own?.platform) return { what: 'it is a store of another platform', remedy: setting };
  return identity.store === store ? undefined : { what: `it is the store of ${identity.store}`, remedy: setting };
}
