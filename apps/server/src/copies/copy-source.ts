import type { Database } from '../db/database.ts';
import type { SecretKeys } from '../world/secrets.ts';
import type { StoreName } from '../world/world-options.ts';
import type { CopyPart } from './copy-part.ts';

/** An open world, as copies of it are made. */
export interface CopySource {
  readonly databases: Readonly<Record<StoreName, Database>>;
  readonly shards: readonly Database[];
  /** The keys that seal its secrets. */
  readonly secretKeys: SecretKeys;
  readonly parts: readonly CopyPart[];
  /** The bytes of its media; `undefined` where they are objects that the copy is not to share. */
  readonly media: CopyPart | undefined;
}
