/**
 * Keys and credentials sealed under a passphrase: AES-256-GCM under a key that scrypt makes of it. What was changed, or sealed under another passphrase,
 * is rejected.
 */
import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';
import { systemRandom } from '../world/random.ts';
import { BackupError, isSecretPath } from './manifest.ts';

/** Costs of a guess: 128 MB and a third of a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const LENGTH = { authTagLength: 16 };
const FORMAT = 'broadside-sealed-1';

const sealedSchema = z.object({
  format: z.literal(FORMAT),
  salt: z.base64(),
  nonce: z.base64(),
  tag: z.base64(),
  data: z.base64(),
});

const filesSchema = z.record(z.string().refine(isSecretPath, 'not a file of secrets'), z.string());

/** Files of secrets by their path in the data directory, as text. */
export type SecretFiles = Readonly<Record<string, string>>;

const derive = promisify<string, Uint8Array, number, typeof COST & { maxmem: number }, Buffer>(scrypt);

function keyOf(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return derive(passphrase.normalize('NFC'), salt, 32, { ...COST, maxmem: 256 << 20 });
}

/** Seals files. @param id of the backup: what is sealed belongs to it */
export async function sealSecrets(files: SecretFiles, passphrase: string, id: string): Promise<Buffer> {
  const [salt, nonce] = [systemRandom.bytes(16), systemRandom.bytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce, LENGTH).setAAD(Buffer.from(id));
  const data = Buffer.concat([cipher.update(JSON.stringify(files), 'utf8'), cipher.final()]);
  const tag = cipher.getAuthTag();
  const texts = Object.entries({ salt, nonce, tag, data }).map(([name, bytes]) => [
    name,
    Buffer.from(bytes).toString('base64'),
  ]);
  return Buffer.from(`${JSON.stringify({ format: FORMAT, ...Object.fromEntries(texts) })}\n`);
}

/** Opens what was sealed. @throws BackupError where the passphrase is another one, or something was changed */
export async function openSecrets(sealed: string, passphrase: string, id: string): Promise<SecretFiles> {
  let held: z.infer<typeof sealedSchema>;
  try {
    held = sealedSchema.parse(JSON.parse(sealed));
  } catch {
    throw new BackupError(`The sealed keys of the backup ${id} are damaged.`);
  }
  const bytes = (text: string) => Buffer.from(text, 'base64');
  try {
    const cipher = createDecipheriv(
      'aes-256-gcm',
      await keyOf(passphrase, bytes(held.salt)),
      bytes(held.nonce),
      LENGTH,
    );
    cipher.setAAD(Buffer.from(id)).setAuthTag(bytes(held.tag));
    const text = Buffer.concat([cipher.update(bytes(held.data)), cipher.final()]).toString('utf8');
    return filesSchema.parse(JSON.parse(text));
  } catch {
    throw new BackupError(
      `BROADSIDE_BACKUP_PASSPHRASE is not the passphrase that the keys of the backup ${id} are sealed under.`,
    );
  }
}
