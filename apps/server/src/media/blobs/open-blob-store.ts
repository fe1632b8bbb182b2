import path from 'node:path';
import { directoryId } from '../../servers/place.ts';
import type { BlobStore } from './blob-store.ts';
import { DiskBlobStore } from './disk-store.ts';
import type { S3Credentials } from './s3-client.ts';
import { BlobLocationError, parseS3Location } from './s3-location.ts';
import { S3BlobStore } from './s3-store.ts';
import { SharedBlobs } from './shared-blobs.ts';

/**
 * Location of blobs: a directory, which other servers may have mounted too, or an S3-compatible store (see `parseS3Location`) with its
 * credentials.
 */
export type BlobLocation =
  | { readonly directory: string; readonly isShared?: boolean }
  | { readonly url: string; readonly credentials: S3Credentials | undefined };

/**
 * Opens the store of a location.
 * @param own the directory of the world for its media, which has notes where the bytes are elsewhere
 * @throws BlobLocationError when the URL or its credentials cannot be used; BlobStoreError when the directory cannot
 */
export async function openBlobStore(location: BlobLocation, own: string): Promise<BlobStore> {
  if ('directory' in location) {
    return DiskBlobStore.open(location.directory, location.isShared ? directoryId(path.dirname(own)) : undefined);
  }
  const place = parseS3Location(location.url);
  if (!location.credentials) throw new BlobLocationError('An object store needs an access key and its secret.');
  return new SharedBlobs(new S3BlobStore(place, location.credentials), own);
}
