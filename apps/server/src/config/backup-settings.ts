/** The settings of backups. */
import type { S3Credentials } from '../media/blobs/s3-client.ts';
import { BlobLocationError, parseS3Location } from '../media/blobs/s3-location.ts';
import { ConfigError } from './addresses.ts';

/** Where backups go, and how what is secret in them is sealed. */
export interface BackupSettings {
  /** A directory or the URL of an S3-compatible store, unless a call names another. */
  readonly url: string | undefined;
  readonly credentials: S3Credentials | undefined;
  readonly passphrase: string | undefined;
}

/** Characters of a passphrase at least: our choice. */
const LEAST = 12;

/** The settings: their names and purposes. */
export const backupSettings = {
  BROADSIDE_BACKUP_URL:
    'Where backups go that name no place: a directory, or s3://bucket/prefix as for BROADSIDE_MEDIA_URL. A place for each platform.',
  BROADSIDE_BACKUP_ACCESS_KEY_ID: 'Access key for an object store of backups.',
  BROADSIDE_BACKUP_SECRET_ACCESS_KEY: 'Its secret.',
  BROADSIDE_BACKUP_SESSION_TOKEN: 'Its session token, where the key is a temporary one.',
  BROADSIDE_BACKUP_PASSPHRASE: `Seals keys and credentials in backups, and opens them when these are restored (${LEAST} characters or more). Without it they are left out.`,
} as const;

/** Reads them. @throws ConfigError */
export function readBackupSettings(read: (name: keyof typeof backupSettings) => string | undefined): BackupSettings {
  const url = read('BROADSIDE_BACKUP_URL');
  if (url !== undefined && /^[a-z][a-z0-9+.-]+:\/\//i.test(url)) checkUrl(url);
  const accessKeyId = read('BROADSIDE_BACKUP_ACCESS_KEY_ID');
  const secretAccessKey = read('BROADSIDE_BACKUP_SECRET_ACCESS_KEY');
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new ConfigError('BROADSIDE_BACKUP_ACCESS_KEY_ID and BROADSIDE_BACKUP_SECRET_ACCESS_KEY are set together.');
  }
  const passphrase = read('BROADSIDE_BACKUP_PASSPHRASE');
  if (passphrase !== undefined && passphrase.length < LEAST) {
    throw new ConfigError(`BROADSIDE_BACKUP_PASSPHRASE must have ${LEAST} characters or more.`);
  }
  const sessionToken = read('BROADSIDE_BACKUP_SESSION_TOKEN');
  const isGiven = accessKeyId !== undefined && secretAccessKey !== undefined;
  return { url, passphrase, credentials: isGiven ? { accessKeyId, secretAccessKey, sessionToken } : undefined };
}

function checkUrl(url: string): void {
  try {
    parseS3Location(url);
  } catch (error) {
    if (!(error instanceof BlobLocationError)) throw error;
    throw new ConfigError(`BROADSIDE_BACKUP_URL cannot be used. ${error.message} Or it is a directory.`);
  }
}
