/** `broadside seed`: puts people, posts and advertising onto the platform of a data directory. */
import { ConfigError, readConfig } from '../config/config.ts';
import { DataDirectoryInUseError } from '../db/data-lock.ts';
import { CommitUnknownError, DatabaseOpenError } from '../db/database.ts';
import { MigrationError } from '../db/migrate.ts';
import { storageFailure } from '../db/storage-failure.ts';
import { BlobStoreError } from '../media/blobs/blob-store.ts';
import { World } from '../open-world.ts';
import { LeaseEndedError, SeveralServersError } from '../servers/errors.ts';
import { RedisLink } from '../shared/redis-link.ts';
import { sharedOver } from '../shared/redis-state.ts';
import { SharedStateError } from '../shared/shared-state.ts';
import { DataDirectoryError, keepFilesPrivate } from '../world/data-directory.ts';
import { SecretKeyError } from '../world/secret-key.ts';
import { ShardsError } from '../world/shards/open-shards.ts';
import { StoreLossError } from '../world/store-marks.ts';
import type { Applied } from './applied.ts';
import { applySeedFile } from './apply-file.ts';
import { readPath, SeedFileError } from './file-issue.ts';
import { type Generated, type GeneratorProgress, generate, UnfinishedSeedError } from './generate.ts';
import type { GeneratorParameters } from './plan.ts';
import { readSeedContent } from './read-content.ts';
import { readSeedData, readSeedFile } from './read-file.ts';

export type { Applied, Outcome } from './applied.ts';
export type { Generated, GeneratorProgress } from './generate.ts';
export type { GeneratorParameters } from './plan.ts';

/** Nothing was seeded, or not all, for a reason that the user can fix. */
export class SeedRefusedError extends Error {
  override readonly name = 'SeedRefusedError';
  /** Further lines below the message. */
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[], cause: unknown) {
    super(message, { cause });
    this.lines = lines;
  }
}

/** Target of seeding: a data directory, and the environment variables that apply to a server on it. */
export interface SeedPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
}

/** Generates a world. Equal parameters produce equal rows. @throws SeedRefusedError */
export function seedGenerated(
  place: SeedPlace,
  parameters: GeneratorParameters,
  onProgress: (progress: GeneratorProgress) => void,
): Promise<Generated> {
  return onPlatform(place, (world) => generate(world.seeds, parameters, onProgress));
}

/** A seed file. */
export interface SeedFileText {
  /** For messages. */
  readonly name: string;
  readonly text: string;
  /** Directory of the files that it references; the working directory by default. */
  readonly directory?: string | undefined;
}

/** A seed file as a running server takes it. */
export interface SeedContent {
  /** JSON. */
  readonly content: string;
  readonly directory: string;
  /** Makes the error for what the server says of parts of the file, which it names as `posts[3].author`. */
  refusal(said: readonly { readonly parameter?: string | undefined; readonly message: string }[]): SeedRefusedError;
}

/** Reads the text of a file for a running server. @throws SeedRefusedError */
export function readSeedForServer({ text, name, directory = '.' }: SeedFileText): SeedContent {
  try {
    const { data, reject } = readSeedData(text, name);
    readSeedContent(data, reject, directory);
    return {
      content: JSON.stringify(data),
      directory,
      refusal: (said) =>
        refused(
          reject(
            said.map(({ parameter = '', message }) => {
              const path = readPath(parameter);
              const isUnclear = path.length === 0 && parameter !== '' && parameter !== 'content';
              return { path, message: isUnclear ? `${parameter}: ${message}` : message };
            }),
          ),
        ),
    };
  } catch (error) {
    throw error instanceof SeedFileError ? refused(error) : error;
  }
}

/** Seeds the text of a file. @throws SeedRefusedError */
export function seedFile(place: SeedPlace, file: SeedFileText): Promise<Applied> {
  return expected(async () => {
    // Issues that do not depend on the platform are reported before it is opened, or created.
    const read = readSeedFile(file.text, file.name, file.directory);
    return onPlatform(place, (world) => applySeedFile(world, read));
  });
}

function onPlatform<Result>(
  { env, dataDirectory }: SeedPlace,
  work: (world: World) => Promise<Result>,
): Promise<Result> {
  return expected(async () => {
    keepFilesPrivate();
    const config = readConfig(env);
    // Servers that run learn by it what they remember and is changed.
    const link = config.shared && (await RedisLink.open(config.shared));
    try {
      const world = await World.open({
        dataDirectory,
        stores: config.stores,
        shards: config.shards,
        media: config.media,
        secretKeys: config.secretKeys,
        shared: link && sharedOver(link),
      });
      return await work(world).finally(() => world.close());
    } finally {
      link?.close();
    }
  });
}

const EXPECTED = [
  BlobStoreError,
  CommitUnknownError,
  ConfigError,
  DataDirectoryError,
  DataDirectoryInUseError,
  DatabaseOpenError,
  LeaseEndedError,
  MigrationError,
  SecretKeyError,
  SeveralServersError,
  SharedStateError,
  ShardsError,
  StoreLossError,
  UnfinishedSeedError,
];

async function expected<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SeedFileError) throw refused(error);
    if (!(error instanceof Error)) throw error;
    if (!EXPECTED.some((kind) => error instanceof kind) && storageFailure(error) === undefined) throw error;
    const hint =
      error instanceof DataDirectoryInUseError
        ? ['Stop the server, seed, and start it again; or give another --data-dir.']
        : [];
    throw new SeedRefusedError(error.message, hint, error);
  }
}

function refused(error: SeedFileError): SeedRefusedError {
  return new SeedRefusedError(error.message, error.lines, error);
}
