/** Shards in backups: files of the default world, each under the name of its environment and its own. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findMisplaced } from '../check/misplaced.ts';
import type { Config } from '../config/config.ts';
import { shardFiles, shardsOnServers } from '../config/shard-files.ts';
import { openDatabase } from '../db/open-database.ts';
import { shardsWithAccounts } from '../db/place-findings.ts';
import { type Environment, environments } from '../world/environment.ts';
import { DIRECTORY } from '../world/shards/places.ts';
import { fileOf, fileOfShard, isOnServer } from '../world/store-locations.ts';
import { shardSettings } from '../world/world-options.ts';
import { BackupError, type BackupManifest, shardOfPath } from './manifest.ts';
import { usedShardsOf } from './restored-servers.ts';

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
 * Returns the settings that a restored platform needs to find its shards that are files of its data directory.
 * @throws BackupError where the settings lead to other files, such as those from before, or lack a shard that accounts are on
 */
export function settingsFor(
  manifest: BackupManifest,
  dataDirectory: string,
  { shards, stores }: Pick<Config, 'shards' | 'stores'>,
): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {};
  const isElsewhere = Object.values(stores).some(isOnServer);
  for (const environment of environments) {
    const own = namesIn(manifest, environment);
    const [setting, given] = [shardSettings[environment], shards[environment]];
    if (own.length === 0) continue;
    const fileOfName = (name: string) => path.join(dataDirectory, fileOfShard(environment, name));
    const right = own.map((name) => `${name}=file:${fileOfName(name)}`).join(',');
    const isWrong = shardFiles({ [environment]: given }).some(
      ({ name, file }) => own.includes(name) && path.resolve(file) !== fileOfName(name),
    );
    if (isWrong) {
      throw new BackupError(
        `${setting} leads to other stores than those that are restored: set it to ${right}, to empty stores on servers, or leave it out for the restoring.`,
      );
    }
    const isHere = given === undefined ? !isElsewhere : shardsOnServers({ [environment]: given }).length === 0;
    if (isHere) settings[setting] = right;
    else demandShards(manifest, environment, given ?? []);
  }
  return settings;
}

/** @throws BackupError where there is no store for a shard that accounts are on */
function demandShards(manifest: BackupManifest, environment: Environment, given: readonly { readonly name: string }[]) {
  const used = usedShardsOf(manifest, environment);
  const lacking = used.filter((name) => !given.some((one) => one.name === name));
  if (lacking.length === 0) return;
  const [setting, list] = [shardSettings[environment], lacking.map((name) => `${name}=URL`).join(',')];
  throw new BackupError(
    `The backup has accounts on ${used.length} shards (${used.join(', ')}): add ${list} to ${setting}. To have fewer shards, move their accounts with \`broadside admin accounts move\` once the platform is restored, and take them out then.`,
  );
}

function namesIn({ worlds }: BackupManifest, environment: Environment): readonly string[] {
  return worlds.flatMap(({ files }) =>
    files.flatMap((file) => {
      const shard = shardOfPath(file.path);
      return shard?.environment === environment ? [shard.name] : [];
    }),
  );
}
