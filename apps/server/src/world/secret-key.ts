import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseOpenError } from '../db/database.ts';

/** The key that seals secrets, kept beside the databases but outside them: 32 bytes as base64, readable by the owner only. */
export function secretKey(dataDirectory: string): Uint8Array {
  const file = path.join(dataDirectory, 'secret.key');
  try {
    if (!existsSync(file)) {
      writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    }
    return parseSecretKey(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof TypeError ? error.message : 'the secret key cannot be read or created';
    throw new DatabaseOpenError(file, reason, error);
  }
}

/** @throws TypeError when the text is not 32 bytes in base64. */
export function parseSecretKey(text: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== 32) throw new TypeError('the secret key must be 32 bytes in base64');
  return key;
}
