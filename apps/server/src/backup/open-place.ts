import type { S3Credentials } from '../media/blobs/s3-client.ts';
import { BlobLocationError, parseS3Location } from '../media/blobs/s3-location.ts';
import { DirectoryPlace } from './directory-place.ts';
import { BackupError } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { S3Place } from './s3-place.ts';

/**
 * Opens a place.
 * @param text a directory, or `s3://bucket/prefix` as for media
 * @throws BackupError when it cannot be used
 */
export function openPlace(text: string, credentials: S3Credentials | undefined): BackupPlace {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return new DirectoryPlace(text);
  try {
    const location = parseS3Location(text);
    if (credentials) return new S3Place(text.replace(/\?.*/s, ''), location, credentials);
  } catch (error) {
    if (error instanceof BlobLocationError) throw new BackupError(`${error.message} Or it is a directory.`);
    throw error;
  }
  throw new BackupError(
    'An object store needs BROADSIDE_BACKUP_ACCESS_KEY_ID and BROADSIDE_BACKUP_SECRET_ACCESS_KEY, of the process that reads or writes the backup.',
  );
}
