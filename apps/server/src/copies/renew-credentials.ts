/**
 * Gives a copy credentials of its own, so that it can be another world beside the one that it was copied from: each credential belongs
 * to one of them. Nothing is recorded in the change log, which is that of the original.
 */
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import type { Writer } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { type Credentials, credentialsFile } from '../demo/credentials.ts';
import { bearerText } from '../identity/bearer-tokens.ts';
import { checkPrefix, credentialText } from '../identity/credential-text.ts';
import { accessTokens, apps, bearerTokens, platformKeys, requestTokens, sessions } from '../identity/platform-table.ts';
import { randomText, systemRandom } from '../world/random.ts';
import { parseSecretKeys, secretKeyFile, secretKeysOf } from '../world/secret-key.ts';
import { SecretBox, tokenHash } from '../world/secrets.ts';
import { fileOf } from '../world/store-locations.ts';
import { writeWhole } from './copy-file.ts';

/** Tokens that are renewed at once. */
const BATCH = 500;

const listApps = statement({}, () =>
  query.select({ id: apps.id, consumer_key: apps.consumer_key, created_at: apps.created_at }).from(apps),
);
const renewApp = statement(
  { id: apps.id, consumer_key: apps.consumer_key, consumer_secret_sealed: apps.consumer_secret_sealed },
  ({ id, ...renewed }) => query.update(apps).set(renewed).where(eq(apps.id, id)),
);
const listOldTokens = statement({ prefix: types.text }, ({ prefix }) =>
  query
    .select({ token: accessTokens.token, user_id: accessTokens.user_id })
    .from(accessTokens)
    .where(sql`substr(${accessTokens.secret_sealed}, 1, length(${prefix})) <> ${prefix}`)
    .limit(BATCH),
);
const renewToken = statement(
  { old: accessTokens.token, token: accessTokens.token, secret_sealed: accessTokens.secret_sealed },
  ({ old, ...renewed }) => query.update(accessTokens).set(renewed).where(eq(accessTokens.token, old)),
);
const insertBearer = statement(
  {
    token_hash: bearerTokens.token_hash,
    app_id: bearerTokens.app_id,
    created_at: bearerTokens.created_at,
    salt: bearerTokens.salt,
  },
  (row) => query.insert(bearerTokens).values(row),
);
const listKeys = statement({}, () => query.select().from(platformKeys));
const resealKey = statement({ name: platformKeys.name, key_sealed: platformKeys.key_sealed }, ({ name, key_sealed }) =>
  query.update(platformKeys).set({ key_sealed }).where(eq(platformKeys.name, name)),
);
/** Those that belong to what people and apps were doing at the moment. */
const removals = [bearerTokens, requestTokens, sessions].map((table) => statement({}, () => query.delete(table)));

/** Options of {@link renewCredentials}. */
export interface RenewOptions {
  /** Credentials of the copy begin with it, as with `WorldOptions.credentialPrefix`; nothing by default. */
  readonly prefix?: string | undefined;
}

/** Credentials by those that they replace. */
interface Renewed {
  readonly apps: ReadonlyMap<string, { readonly consumer_key: string; readonly consumer_secret: string }>;
  readonly tokens: ReadonlyMap<string, { readonly access_token: string; readonly access_token_secret: string }>;
  /** Bearer tokens by the consumer keys that their apps have had. */
  readonly bearers: ReadonlyMap<string, string>;
}

/**
 * Renews the credentials in the directory of a copy that has not appeared yet: apps get other keys and secrets, access tokens other texts and secrets
 * for the same person, app and permissions; bearer tokens, request tokens and sessions are gone, but for a bearer token of the demo's app.
 * All that is sealed is sealed under a new key in the file `secret.key`. The key of the platform stays, since audiences depend on it. What
 * `credentials.json` holds is renewed likewise. A directory in which this was cut off is of no use.
 * @returns what `credentials.json` holds then; `undefined` if there is none
 * @throws UnknownKeyError when `secret.key` is not the key of the store
 */
export async function renewCredentials(
  directory: string,
  { prefix = '' }: RenewOptions = {},
): Promise<Credentials | undefined> {
  checkPrefix(prefix);
  const old = secretKeysOf(directory);
  const key = Buffer.from(systemRandom.bytes(32)).toString('base64');
  const secrets = new SecretBox([...parseSecretKeys(key), ...old]);
  const file = credentialsFile(directory);
  const held: Credentials | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const store = path.join(directory, fileOf('platform'));
  // Nothing waits for the disk here, where everybody else would wait too.
  const database = await openDatabase(store, { synced: false });
  let renewed: Renewed;
  try {
    renewed = await database.write((writer) => renewAll(writer, secrets, prefix, held?.consumer_key));
  } finally {
    await database.close();
  }
  const after = held && renewedCredentials(held, renewed);
  await rm(secretKeyFile(directory));
  await writeWhole(secretKeyFile(directory), `${key}\n`);
  if (after) {
    await rm(file);
    await writeWhole(file, `${JSON.stringify(after, null, 2)}\n`);
  }
  return after;
}

async function renewAll(
  writer: Writer,
  secrets: SecretBox,
  prefix: string,
  demoKey: string | undefined,
): Promise<Renewed> {
  const keys = new Map<string, string>();
  for (const { name, key_sealed } of await listKeys.all(writer)) {
    const key = secrets.open(key_sealed);
    keys.set(name, key);
    await resealKey.run(writer, { name, key_sealed: secrets.seal(key) });
  }
  for (const remove of removals) await remove.run(writer);
  const renewedApps = new Map<string, { consumer_key: string; consumer_secret: string }>();
  const bearers = new Map<string, string>();
  for (const { id, consumer_key: oldKey, created_at } of await listApps.all(writer)) {
    const consumer_key = credentialText(systemRandom, 25, prefix);
    const consumer_secret = randomText(systemRandom, 50);
    await renewApp.run(writer, { id, consumer_key, consumer_secret_sealed: secrets.seal(consumer_secret) });
    renewedApps.set(oldKey, { consumer_key, consumer_secret });
    const platform = keys.get('platform');
    if (oldKey !== demoKey || platform === undefined) continue;
    const salt = randomText(systemRandom, 43);
    const token = bearerText(platform, prefix, salt);
    await insertBearer.run(writer, { token_hash: tokenHash(token), app_id: id, created_at, salt });
    bearers.set(oldKey, token);
  }
  return { apps: renewedApps, tokens: await renewTokens(writer, secrets), bearers };
}

async function renewTokens(writer: Writer, secrets: SecretBox): Promise<Renewed['tokens']> {
  const renewed = new Map<string, { access_token: string; access_token_secret: string }>();
  for (;;) {
    const stale = await listOldTokens.all(writer, { prefix: secrets.currentPrefix });
    if (stale.length === 0) return renewed;
    for (const { token: old, user_id } of stale) {
      const access_token = `${user_id}-${randomText(systemRandom, 40)}`;
      const access_token_secret = randomText(systemRandom, 45);
      await renewToken.run(writer, { old, token: access_token, secret_sealed: secrets.seal(access_token_secret) });
      renewed.set(old, { access_token, access_token_secret });
    }
  }
}

/** Returns credentials with those that were renewed. One that had been revoked or changed before stays, and opens nothing. */
function renewedCredentials(held: Credentials, { apps: byKey, tokens, bearers }: Renewed): Credentials {
  const bearer_token = bearers.get(held.consumer_key);
  return {
    ...held,
    ...byKey.get(held.consumer_key),
    ...tokens.get(held.access_token),
    ...(bearer_token === undefined ? {} : { bearer_token }),
  };
}
