/** Random keys of the platform itself: from one of them bearer tokens and the hashes of verifiers are made. */
import { createHmac } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { type Random, randomText } from '../world/random.ts';
import type { SecretBox } from '../world/secrets.ts';

const SELECT = 'SELECT "key_sealed" FROM "platform_keys" WHERE "name" = ? LIMIT 1';

/**
 * The key of a name, made when it is first asked for. It is sealed like every secret, so changing the sealing key leaves
 * it, and what was made from it, as it is.
 * @throws UnknownKeyError when the store was sealed under another key
 */
export async function platformKey(
  name: string,
  at: string,
  { database, random, secrets }: { database: Database; random: Random; secrets: SecretBox },
): Promise<string> {
  const [known] = await database.query(SELECT, [name]);
  if (known) return secrets.open(String(known[0]));
  // A store may have secrets already: a key made beside them under another sealing key would hide that it is the wrong one.
  const [app] = await database.query('SELECT "consumer_secret_sealed" FROM "apps" LIMIT 1');
  if (app) secrets.open(String(app[0]));
  const fresh = secrets.seal(randomText(random, 43));
  const row = await database.write(async (writer) => {
    await writer.run(
      'INSERT INTO "platform_keys" ("name", "key_sealed", "created_at") VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      [name, fresh, at],
    );
    const [stored] = await writer.query(SELECT, [name]);
    return stored;
  });
  if (!row) throw new Error(`the platform key ${name} was not stored`);
  return secrets.open(String(row[0]));
}

/** A keyed hash for one purpose: equal input for another purpose gives another hash. */
export function keyedHash(key: string, purpose: string, ...parts: readonly string[]): Buffer {
  const hmac = createHmac('sha512', key);
  for (const part of [purpose, ...parts]) hmac.update(`${Buffer.byteLength(part)}:${part}`);
  return hmac.digest();
}
