import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dataNames } from '../data-names.ts';
import { errorCode } from '../error-text.ts';
import { syncDirectory } from '../members/durable-file.ts';
import type { SecretKeys } from './secrets.ts';

/** The key that seals secrets cannot be used, or is not the one of the store. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError';
}

/**
 * The keys that seal secrets, kept beside the databases but outside them: 32 bytes as base64, readable by the owner only.
 * A file of several lines has the current key first.
 * @throws SecretKeyError
 */
export function secretKeysOf(dataDirectory: string): SecretKeys {
  const file = secretKeyFile(dataDirectory);
  try {
    if (!existsSync(file)) {
      writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
      syncDirectory(dataDirectory);
    }
  } catch (error) {
    throw new SecretKeyError(`The secret key ${file} cannot be created (${errorCode(error) ?? String(error)}).`, {
      cause: error,
    });
  }
  return keysIn(file);
}

/** Verifies the file of the keys before anything is opened, if there is one. @throws SecretKeyError */
export function checkSecretKey(dataDirectory: string): void {
  if (hasSecretKey(dataDirectory)) keysIn(secretKeyFile(dataDirectory));
}

function keysIn(file: string): SecretKeys {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SecretKeyError(`The secret key ${file} cannot be read (${errorCode(error) ?? String(error)}).`, {
      cause: error,
    });
  }
  try {
    return parseSecretKeys(text);
  } catch (error) {
    throw new SecretKeyError(
      `The file ${file} does not hold a secret key, which is 32 bytes in base64. Put the key back that it held, or give it in BROADSIDE_SECRET_KEY.`,
      { cause: error },
    );
  }
}

/** The file of the keys. */
export function secretKeyFile(dataDirectory: string): string {
  return path.join(dataDirectory, dataNames.secretKey);
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
