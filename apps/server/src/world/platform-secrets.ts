/** The secrets of a platform: the keys that seal them, and the key of the platform, which is one of them. */
import { rmSync } from 'node:fs';
import type { Database } from '../db/database.ts';
import { hasSecrets, platformKey } from '../identity/platform-key.ts';
import { resealAll } from '../identity/reseal.ts';
import { timestamp, wallClock } from './clock.ts';
import { systemRandom } from './random.ts';
import { hasSecretKey, SecretKeyError, secretKeyFile, secretKeysOf } from './secret-key.ts';
import { SecretBox, type SecretKeys, UnknownKeyError } from './secrets.ts';
import type { WorldOptions } from './world-options.ts';

/** The secrets of an open platform. */
export interface PlatformSecrets {
  readonly secrets: SecretBox;
  /** The keys that seal them. */
  readonly sealing: SecretKeys;
  /** The key of the platform. */
  readonly key: string;
}

/**
 * Opens the platform's key, which also finds out whether the sealing key is the right one.
 * @throws SecretKeyError
 */
export async function openSecrets(options: WorldOptions, database: Database): Promise<PlatformSecrets> {
  const { dataDirectory, random = systemRandom, clock = wallClock } = options;
  const isNew = options.secretKeys === undefined && !hasSecretKey(dataDirectory);
  if (isNew && (await hasSecrets(database))) {
    // A new key would not open anything, and would be taken for the right one later.
    throw new SecretKeyError(
      `The secret key ${secretKeyFile(dataDirectory)} is missing, under which the platform store was written. Put it back, or give it in BROADSIDE_SECRET_KEY.`,
    );
  }
  const sealing = options.secretKeys ?? secretKeysOf(dataDirectory);
  const secrets = new SecretBox(sealing);
  try {
    const key = await platformKey('platform', timestamp(clock), { database, random, secrets });
    if (secrets.isRotating) await resealAll(database, secrets);
    return { secrets, sealing, key };
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    // Made just now, while another server made that of the platform.
    if (isNew) rmSync(secretKeyFile(dataDirectory), { force: true });
    throw new SecretKeyError(
      'The platform store was written under another secret key. Give that key in BROADSIDE_SECRET_KEY or in the file secret.key, after the new one if it was changed.',
      { cause: error },
    );
  }
}
