/** Backups of a data directory that no server has open. */
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { shardFiles, shardsOnServers } from '../config/shard-files.ts';
import { dataNames } from '../data-names.ts';
import { lockDataDirectory } from '../db/data-lock.ts';
import { openBlobStore } from '../media/blobs/open-blob-store.ts';
import { isShared } from '../media/blobs/shared-blobs.ts';
import { finishReplacement } from '../world/replacement.ts';
import { fileOf } from '../world/store-locations.ts';
import { storeNames } from '../world/world-options.ts';
import { type BackupOptions, createBackup, type MadeBackup } from './create-backup.ts';
import { BackupError } from './manifest.ts';
import { closedSource, readSecrets, type WorldSource } from './world-source.ts';

/** What {@link backUpDirectory} takes. */
export interface OfflineOptions extends Pick<BackupOptions, 'place' | 'keep' | 'now' | 'onProgress'> {
  readonly dataDirectory: string;
  readonly config: Pick<Config, 'media' | 'shards' | 'stores' | 'secretKeys' | 'backups'>;
  readonly worlds: boolean;
  readonly snapshots: boolean;
}

/** Backs up a data directory. @throws DataDirectoryInUseError, and as `createBackup` does */
export async function backUpDirectory(options: OfflineOptions): Promise<MadeBackup> {
  const { dataDirectory, config } = options;
  checkStores(options);
  const lock = lockDataDirectory(dataDirectory);
  try {
    finishReplacement(dataDirectory);
    const exportsOf = path.join(dataDirectory, dataNames.exports);
    await rm(exportsOf, { recursive: true, force: true });
    const secrets = await readSecrets(dataDirectory, '', [dataNames.operatorToken]);
    const keys = config.secretKeys?.map((key) => `${Buffer.from(key).toString('base64')}\n`);
    return await createBackup({
      ...options,
      sources: sourcesOf(options),
      scratch: path.join(exportsOf, 'backup'),
      passphrase: config.backups.passphrase,
      secrets: { ...secrets, ...(keys ? { [dataNames.secretKey]: keys.join('') } : {}) },
    });
  } finally {
    lock.release();
  }
}

function checkStores({ dataDirectory, config }: OfflineOptions): void {
  const [remote] = shardsOnServers(config.shards);
  if (remote !== undefined) throw new BackupError(byServer(`shard ${remote.environment}/${remote.name}`));
  for (const name of storeNames) {
    if (config.stores[name] !== undefined) throw new BackupError(byServer(`store ${name}`));
    if (!existsSync(path.join(dataDirectory, fileOf(name)))) {
      throw new BackupError(`There is no platform in ${dataDirectory}: it lacks ${fileOf(name)}.`);
    }
  }
}

function byServer(store: string): string {
  return `The ${store} is not in the data directory. Start the server and have it make the backup.`;
}

async function* sourcesOf({ dataDirectory, config, worlds, snapshots }: OfflineOptions): AsyncGenerator<WorldSource> {
  const own = path.join(dataDirectory, 'media');
  const objects = config.media && (await openBlobStore(config.media, own));
  const places = [
    '',
    ...(worlds
      ? namesIn(dataDirectory, dataNames.worlds).filter((place) =>
          existsSync(path.join(dataDirectory, place, fileOf('platform'))),
        )
      : []),
    ...(snapshots ? namesIn(dataDirectory, dataNames.snapshots).flatMap((place) => namesIn(dataDirectory, place)) : []),
  ];
  for (const place of places) {
    const directory = path.join(dataDirectory, place);
    const isElsewhere = place === '' || isShared(path.join(directory, 'media'));
    yield closedSource(
      place,
      directory,
      isElsewhere ? objects : undefined,
      place === '' ? shardFiles(config.shards) : [],
    );
  }
}

/** The paths of what is in a directory of the data directory, but for what is being made or removed. */
function namesIn(dataDirectory: string, place: string): string[] {
  const directory = path.join(dataDirectory, place);
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.filter((name) => !name.startsWith('.')).map((name) => path.posix.join(place, name));
}
