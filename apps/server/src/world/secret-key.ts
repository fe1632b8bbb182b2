import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseOpenError } from '../db/database.ts';
import { syncDirectory } from '../members/durable-file.ts';
import type { SecretKeys } from './secrets.ts';

/**
 * The keys that seal secrets, kept beside the databases but outside them: 32 bytes as base64, readable by the owner only.
 * A file of several lines has the current key first.
 */
export function secretKeysOf(dataDirectory: string): SecretKeys {
  const file = secretKeyFile(dataDirectory);
  try {
    if (!existsSync(file)) {
      writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
      syncDirectory(dataDirectory);
    }
    return parseSecretKeys(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof TypeError ? error.message : 'the secret key cannot be read or created';
    throw new DatabaseOpenError(file, reason, error);
  }
}

/** The file of the keys. */
export function secretKeyFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'secret.key');
}

/** Returns whether there is a file of keys, whatever it holds. */
export function hasSecretKey(dataDirectory: string): boolean {
  return existsSync(secretKeyFile(dataDirectory));
}

/**
 * Reads keys that are separated by commas or white space.
 * @throws TypeError when one is not 32 bytes in base64, or there is none
 */
export function parseSecretKeys(text: string): SecretKeys {
  const [current, ...previous] = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => Buffer.from(part, 'base64'));
  if (!current || [current, ...previous].some((key) => key.length !== 32)) {
    throw new TypeError('the secret key must be 32 bytes in base64');
  }
  return [current, ...previous];
}
