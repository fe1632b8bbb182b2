/** The manifest of a backup: what it consists of, so that each part can be verified and put back in its place. */
import * as z from 'zod';
import { isWorldPath } from '../copies/pack-manifest.ts';
import { dataNames } from '../data-names.ts';
import type { Environment } from '../world/environment.ts';

/** The version of the format. A later one may add members to the manifest without raising it. */
export const FORMAT_VERSION = 1;

/** Worlds in a data directory: the default one, others, and snapshots with how worlds began. */
const WORLD = /^(?:|worlds\/[a-z0-9]{1,20}|snapshots\/[a-z0-9]{1,20}\/[a-z0-9]{1,20})$/;
/** Files of worlds beside those that packs have. */
const BESIDE = [dataNames.unfinishedDemo, 'world.json', 'snapshot.json', 'media/shared'];
/** Shards, which the default world may have. */
const SHARD = /^shards\/(?:production|sandbox)\/[a-z][a-z0-9-]{0,31}\.db$/;
/** Files that open what is sealed, or sign: they are in the sealed part, or nowhere. */
const SECRET: readonly string[] = [dataNames.secretKey, dataNames.credentials, dataNames.operatorToken];
const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/;

/** Returns whether a file of a world goes into a backup as it is. @param name its path in the directory of the world, with `/` */
export function isPlainPath(name: string): boolean {
  return (
    BESIDE.includes(name) ||
    SHARD.test(name) ||
    (isWorldPath(name) && !SECRET.includes(name) && !name.startsWith('media/'))
  );
}

/** The environment and the name of a shard, by its path in the directory of the world; `undefined` for other files. */
export function shardOfPath(name: string): { readonly environment: Environment; readonly name: string } | undefined {
  if (!SHARD.test(name)) return undefined;
  const [, environment, file = ''] = name.split('/');
  return { environment: environment === 'sandbox' ? 'sandbox' : 'production', name: file.slice(0, -'.db'.length) };
}

/** Returns whether a file of a data directory is a secret. @param name its path in the data directory */
export function isSecretPath(name: string): boolean {
  const at = name.lastIndexOf('/');
  return SECRET.includes(name.slice(at + 1)) && WORLD.test(at < 0 ? '' : name.slice(0, at));
}

const bytes = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const migration = z.string().max(200);

const fileSchema = z.object({
  /** In the directory of its world. */
  path: z.string().refine(isPlainPath, 'not a file of a world'),
  bytes,
  sha256,
});

const mediumSchema = z.object({
  /** The name of the blob. */
  key: z.string().max(200).regex(KEY),
  bytes,
  sha256,
  /** When the file was written, where it is one: a later backup does not read it again if that is the same. */
  modified_ms: z.number().nullable(),
});

const worldSchema = z.object({
  /** In the data directory; empty for the default world. */
  path: z.string().regex(WORLD),
  /** The last migration of each store. */
  schemas: z.object({ platform: migration, production: migration, sandbox: migration }),
  /** Rows of some tables, by store and table. */
  counts: z.record(z.string(), z.number()),
  files: z.array(fileSchema),
  media: z.array(mediumSchema),
});

const manifestSchema = z.object({
  format: z.literal('broadside-backup'),
  format_version: z.literal(FORMAT_VERSION),
  id: z.string().regex(/^\d{4}(?:-\d\d){2}t\d\d(?:-\d\d){2}z-[a-z0-9]{4}$/),
  /** The version of the server that made it. */
  product_version: z.string().max(100),
  /** Id of the platform of the default world. */
  platform: z.string().max(100),
  /** The instant at which writes to the default world are in the backup or come after it: milliseconds since the epoch. */
  instant_ms: z.number().int(),
  /** Keys and credentials, sealed under a passphrase; null where they were left out. */
  sealed: z.object({ bytes, sha256 }).nullable(),
  worlds: z.array(worldSchema).min(1),
});

/** What a backup says of itself. */
export type BackupManifest = z.infer<typeof manifestSchema>;
/** A world in a backup. */
export type BackedUpWorld = z.infer<typeof worldSchema>;
/** A file of a world in a backup. */
export type BackedUpFile = z.infer<typeof fileSchema>;
/** A blob of a world in a backup. */
export type BackedUpMedium = z.infer<typeof mediumSchema>;

/** The bytes of all that a backup refers to, each medium once. */
export function bytesOf({ worlds, sealed }: BackupManifest): number {
  const media = new Map(worlds.flatMap((world) => world.media.map((medium) => [medium.sha256, medium.bytes] as const)));
  const files = worlds.flatMap((world) => world.files.map((file) => file.bytes));
  return [...media.values(), ...files, sealed?.bytes ?? 0].reduce((sum, one) => sum + one, 0);
}

/** A backup cannot be made, read or restored. The message is one sentence or two, for an operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError';
}

/** There is no such backup. */
export class NoBackupError extends BackupError {
  override readonly name = 'NoBackupError';
}

/** It is not said where backups are. */
export class NoPlaceError extends BackupError {
  override readonly name = 'NoPlaceError';
}

/** Reads a manifest. @throws BackupError that says what is wrong with it */
export function readManifest(text: string, id: string): BackupManifest {
  let held: unknown;
  try {
    held = JSON.parse(text);
  } catch {
    throw new BackupError(`The manifest of the backup ${id} is no JSON: it is damaged.`);
  }
  const version = z.object({ format_version: z.number(), product_version: z.string() }).safeParse(held);
  if (version.success && version.data.format_version > FORMAT_VERSION) {
    throw new BackupError(
      `The backup ${id} was made by a newer version (${version.data.product_version}), in a format that this one does not know.`,
    );
  }
  const checked = manifestSchema.safeParse(held);
  const [issue] = checked.error?.issues ?? [];
  if (!checked.success) {
    throw new BackupError(`The manifest of the backup ${id} is wrong at ${issue?.path.join('.')}: ${issue?.message}.`);
  }
  return checked.data;
}
