/** Bytes of media as callers have them: in Node, browsers and edge runtimes alike. */
import { type ThinUploads, thin } from '@broadside/core/thin';
import { CallError } from './errors.ts';

/** Bytes to upload. A `File` of a browser is a `Blob`; in Node `openAsBlob` of `node:fs` gives one that reads the file lazily. */
export type MediaBytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** A media type that an upload can declare. */
export type MediaType = ThinUploads['media_types'][number];

/** True for a value that holds bytes. */
export function isMediaBytes(value: unknown): value is MediaBytes {
  return value instanceof Blob || value instanceof ArrayBuffer || value instanceof Uint8Array;
}

/** Bytes that can be cut into segments. @throws CallError when there are none */
export function blobOf(bytes: unknown): Blob {
  if (!isMediaBytes(bytes)) throw new CallError('"media" must be a Blob, an ArrayBuffer or a Uint8Array.', 'media');
  const blob = bytes instanceof Blob ? bytes : new Blob([bytes]);
  if (blob.size === 0) throw new CallError('The media are empty.', 'media');
  return blob;
}

const HEAD_BYTES = 12;

/** First bytes of files, as Latin-1. MP4 and QuickTime have a box `ftyp`, whose brand distinguishes them. */
const BEGINNINGS: readonly (readonly [MediaType, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['video/quicktime', /^.{4}ftypqt {2}/s],
  ['video/mp4', /^.{4}ftyp/s],
];

/** The media type of bytes by their first ones, or else the type that the blob declares. @throws CallError */
export async function mediaTypeOf(blob: Blob): Promise<MediaType> {
  const bytes = new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer());
  const head = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const [found] = BEGINNINGS.find(([, beginning]) => beginning.test(head)) ?? [];
  const type = found ?? thin.uploads.media_types.find((known) => known === blob.type);
  if (type) return type;
  throw new CallError('The bytes begin like no type of media. Say with "media_type" what they are.', 'media_type');
}
