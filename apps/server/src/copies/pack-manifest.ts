/**
 * The manifest of a packed world. A pack is one gzip stream: a line of JSON, the manifest, and then the files that it lists, one right after
 * the other, in its order and of the lengths that it says. `gunzip < FILE | head -n 1` shows what is in one.
 */
import * as z from 'zod';
import { dataNames } from '../data-names.ts';

/** The version of the format. A later one may add members to the manifest without raising it. */
export const FORMAT_VERSION = 1;

/** A manifest is no longer than this, in bytes; that of a world with 100,000 media has 20 MB. */
export const MOST_MANIFEST_BYTES = 128 << 20;

/**
 * The files of a world: nothing else is packed or unpacked, so that no path can lead elsewhere. Names of blobs are those of
 * `DiskBlobStore`.
 */
const PATHS = [
  /^(?:platform|ads-production|ads-sandbox)\.db$/,
  /^(?:secret\.key|credentials\.json|ids\.state)$/,
  /^members\/matched\.json$/,
  /^members\/log\/\d{1,15}\.log$/,
  /^members\/audiences\/[a-z]+-[A-Za-z0-9]{1,40}\/(?:manifest\.json|\d{1,15}\.(?:run|heap))$/,
  /^media\/blobs\/[0-9a-f]{2}\/[0-9a-f]{2}\/[a-z0-9][a-z0-9._+-]{0,199}$/,
];

/** Files without which there is no world. */
export const neededFiles = ['platform.db', 'ads-production.db', 'ads-sandbox.db', dataNames.secretKey] as const;

/** Returns whether a file belongs to a world. @param name its path in the directory, with `/` */
export function isWorldPath(name: string): boolean {
  return PATHS.some((form) => form.test(name));
}

/** What the maker of a pack says of the world. */
const about = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const fileSchema = z.object({
  path: z.string().refine(isWorldPath, 'not a file of a world'),
  bytes: z
    .number()
    .int()
    .nonnegative()
    .max(2 ** 50),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const manifestSchema = z.object({
  format: z.literal('broadside-world'),
  format_version: z.literal(FORMAT_VERSION),
  /** The version of the server that made it. */
  product_version: z.string(),
  /** The last migration of each store. */
  schemas: z.object({ platform: z.string(), production: z.string(), sandbox: z.string() }),
  world: about,
  /** Rows by table, of some tables. */
  counts: z.record(z.string(), z.number()),
  files: z.array(fileSchema),
});

/** What a pack says of itself. */
export type PackManifest = z.infer<typeof manifestSchema>;
/** Facts of a packed world that are not in its files, such as its name, its seed and when it was copied. */
export type PackAbout = z.infer<typeof about>;
/** A file in a pack. */
export type PackedFile = z.infer<typeof fileSchema>;

/** A pack cannot be made or taken. The message is one sentence. */
export class PackError extends Error {
  override readonly name = 'PackError';
}
