/** The places of the stores of a world: files of the data directory, unless its options name others. */
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { KeptOptions } from '../db/kept-rows.ts';
import type { Environment } from './environment.ts';
import { DIRECTORY } from './shards/places.ts';
import type { StoreLocation, StoreName, WorldOptions } from './world-options.ts';

/** The file of a store, if it is one of the data directory, which nobody else writes. */
export function ownFile({ dataDirectory, stores }: WorldOptions, name: StoreName): string | undefined {
  return stores?.[name] === undefined ? fileURLToPath(fileLocation(dataDirectory, name).url) : undefined;
}

/** The location of a store. */
export function locationOf({ dataDirectory, stores }: WorldOptions, name: StoreName): StoreLocation {
  return stores?.[name] ?? fileLocation(dataDirectory, name);
}

/** Returns whether a store is on a server, where other processes may write it. @param location by default a file of the data directory */
export function isOnServer(location: StoreLocation | undefined): boolean {
  const url = location?.url;
  return url !== undefined && /^[a-z][a-z0-9+.-]+:\/\//i.test(url) && !/^file:/i.test(url);
}

function fileLocation(dataDirectory: string, name: StoreName): StoreLocation {
  return { url: pathToFileURL(path.resolve(dataDirectory, fileOf(name))).href };
}

/** The name of the file of a store in the data directory. */
export function fileOf(name: StoreName): string {
  return name === 'platform' ? 'platform.db' : `ads-${name}.db`;
}

/** The name of a store of an environment in what is said of it: such as `production`, or `production/east` for a shard. */
export function nameOfStore(environment: Environment, shard: string): string {
  return shard === DIRECTORY ? environment : `${environment}/${shard}`;
}

/** The path of a shard in a backup, and in the data directory that it is restored into. */
export function fileOfShard(environment: Environment, shard: string): string {
  return `shards/${environment}/${shard}.db`;
}

/**
 * Bounds of the rows of a store in memory; `undefined` where none may be kept. The data directory is locked, so a file in it has one
 * writer, whose generations all threads share; a remote store may have others.
 */
export function keptOf({ stores, kept = {} }: WorldOptions, name: StoreName): KeptOptions | undefined {
  return stores?.[name] === undefined && kept !== false ? kept : undefined;
}
