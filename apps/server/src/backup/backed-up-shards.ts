/** Shards in backups: files of the default world, each under the name of its environment and its own. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findMisplaced } from '../check/misplaced.ts';
import { shardFiles, shardsOnServers } from '../config/shard-files.ts';
import type { ShardConfig } from '../config/shard-settings.ts';
import { openDatabase } from '../db/open-database.ts';
import { shardsWithAccounts } from '../db/place-findings.ts';
import { type Environment, environments } from '../world/environment.ts';
import { DIRECTORY } from '../world/shards/places.ts';
import { fileOf, fileOfShard } from '../world/store-locations.ts';
import { shardSettings } from '../world/world-options.ts';
import { BackupError, type BackupManifest, shardOfPath } from './manifest.ts';

/** The shards in the directory of a copy. */
export async function shardsIn(directory: string) {
  return environments.flatMap((environment) => {
    const at = path.join(directory, path.dirname(fileOfShard(environment, '-')));
    const names = existsSync(at) ? readdirSync(at).filter((name) => name.endsWith('.db')) : [];
    return names.map((name) => ({ environment, name: path.basename(name, '.db'), file: path.join(at, name) }));
  });
}

/** Returns what is missing in a copy, as a sentence: a shard that accounts are on. */
export async function lackingShard(directory: string): Promise<string | undefined> {
  for (const environment of environments) {
    const used = await usedShards(path.join(directory, fileOf(environment)));
    const lacking = used.find((name) => !existsSync(path.join(directory, fileOfShard(environment, name))));
    if (lacking === undefined) continue;
    const setting = shardSettings[environment];
    return `Accounts of ${environment} are on the shard ${lacking}, whose file is not there to be backed up: correct ${lacking} in ${setting}.`;
  }
  return undefined;
}

async function usedShards(file: string): Promise<readonly string[]> {
  const database = await openDatabase(file);
  return shardsWithAccounts(database).finally(() => database.close());
}

/**
 * Finds accounts that are not whole in one store of a backup, as sentences.
 * @param files the stores of a world, by their path in its directory
 */
export async function misplacedIn(files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const environment of environments) problems.push(...(await misplacedOf(environment, files)));
  return problems;
}

async function misplacedOf(environment: Environment, files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const directory = files.get(fileOf(environment));
  if (directory === undefined) return [];
  const used = await usedShards(directory);
  const lacking = used.filter((name) => !files.has(fileOfShard(environment, name)));
  if (lacking.length > 0) return lacking.map((name) => `The backup has no store ${fileOfShard(environment, name)}.`);
  const shards = [...files].flatMap(([name, file]) => {
    const shard = shardOfPath(name);
    return shard?.environment === environment ? [{ shard: shard.name, file }] : [];
  });
  if (shards.length === 0) return [];
  const stores = [];
  try {
    for (const { shard, file } of [{ shard: DIRECTORY, file: directory }, ...shards])
      stores.push({ shard, database: await openDatabase(file) });
    return (await findMisplaced(environment, stores, false)).map(
      ({ shard, table, id, what }) =>
        `The account ${id} of ${environment} in ${shard || 'the directory'}, ${table}: ${what}.`,
    );
  } finally {
    for (const { database } of stores) await database.close();
  }
}

/**
 * Returns the settings that a restored platform needs to find its shards, which are files of its data directory.
 * @throws BackupError where the server would have others, such as those from before
 */
export function settingsFor(
  manifest: BackupManifest,
  dataDirectory: string,
  shards: ShardConfig,
): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {};
  const held = manifest.worlds.flatMap(({ files }) => files.flatMap((file) => shardOfPath(file.path) ?? []));
  for (const environment of environments) {
    const own = held.filter((shard) => shard.environment === environment);
    const [setting, given] = [shardSettings[environment], shards[environment]];
    if (own.length === 0) continue;
    const fileOfName = (name: string) => path.join(dataDirectory, fileOfShard(environment, name));
    const right = own.map(({ name }) => `${name}=file:${fileOfName(name)}`).join(',');
    settings[setting] = right;
    const known = shardFiles({ [environment]: given });
    const isWrong =
      shardsOnServers({ [environment]: given }).length > 0 ||
      known.some(({ name, file }) => path.resolve(file) !== fileOfName(name));
    if (given !== undefined && isWrong) {
      throw new BackupError(
        `${setting} leads to other stores than those that are restored: set it to ${right}, or leave it out for the restoring.`,
      );
    }
  }
  return settings;
}
