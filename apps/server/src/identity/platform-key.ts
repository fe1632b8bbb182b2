/** Random keys of the platform itself: from one of them bearer tokens and the hashes of verifiers are made. */
import { createHmac } from 'node:crypto';
import { eq, getTableColumns } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { type Random, randomText } from '../world/random.ts';
import type { SecretBox } from '../world/secrets.ts';
import { apps, platformKeys } from './platform-table.ts';

const { name, key_sealed } = platformKeys;

const findKey = statement({ name }, (args) =>
  query.select({ key_sealed }).from(platformKeys).where(eq(name, args.name)).limit(1),
);
const insertKey = statement(getTableColumns(platformKeys), (key) =>
  query.insert(platformKeys).values(key).onConflictDoNothing(),
);
const findSomeSecret = statement({}, () => query.select({ sealed: apps.consumer_secret_sealed }).from(apps).limit(1));

const findSomeKey = statement({}, () => query.select({ name }).from(platformKeys).limit(1));

/**
 * The key of a name, created on first use. It is sealed like every secret, so changing the sealing key leaves
 * it, and what was made from it, as it is.
 * @throws UnknownKeyError when the store was sealed under another key
 */
export async function platformKey(
  name: string,
  at: string,
  { database, random, secrets }: { database: Database; random: Random; secrets: SecretBox },
): Promise<string> {
  const known = await findKey.first(database, { name });
  if (known) return secrets.open(known.key_sealed);
  // A store may have secrets already: a key made beside them under another sealing key would hide that it is the wrong one.
  const secret = await findSomeSecret.first(database);
  if (secret) secrets.open(secret.sealed);
  return offerPlatformSecret(name, randomText(random, 43), at, { database, secrets });
}

interface SealedServices {
  readonly database: Database;
  readonly secrets: SecretBox;
}

/** Finds a secret that the platform keeps for its servers. @throws UnknownKeyError when it was sealed under another key */
export async function findPlatformSecret(
  name: string,
  { database, secrets }: SealedServices,
): Promise<string | undefined> {
  const known = await findKey.first(database, { name });
  return known && secrets.open(known.key_sealed);
}

/**
 * Stores a secret of the platform, unless there is one of the name.
 * @returns the one that is stored
 * @throws UnknownKeyError when it was sealed under another key
 */
export async function offerPlatformSecret(
  name: string,
  secret: string,
  at: string,
  { database, secrets }: SealedServices,
): Promise<string> {
  const stored = await database.write(async (writer) => {
    await insertKey.run(writer, { name, key_sealed: secrets.seal(secret), created_at: at });
    return findKey.first(writer, { name });
  });
  if (!stored) throw new Error(`the platform key ${name} was not stored`);
  return secrets.open(stored.key_sealed);
}

/** Returns whether the store holds anything that is sealed. */
export async function hasSecrets(database: Database): Promise<boolean> {
  return (await findSomeKey.first(database)) !== undefined || (await findSomeSecret.first(database)) !== undefined;
}

/** A keyed hash for one purpose: equal input for another purpose gives another hash. */
export function keyedHash(key: string, purpose: string, ...parts: readonly string[]): Buffer {
  const hmac = createHmac('sha512', key);
  for (const part of [purpose, ...parts]) hmac.update(`${Buffer.byteLength(part)}:${part}`);
  return hmac.digest();
}
