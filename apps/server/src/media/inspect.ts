/** Detects type and properties of an upload from its bytes. */
import { type ByteSource, bytesSource, SourceWindow } from './byte-source.ts';
import { foreignType } from './formats/foreign.ts';
import { inspectGif, isGif } from './formats/gif.ts';
import { inspectJpeg, isJpeg } from './formats/jpeg.ts';
import { inspectMp4, isMp4 } from './formats/mp4.ts';
import { inspectPng, isPng } from './formats/png.ts';
import { inspectWebp, isWebp } from './formats/webp.ts';
import { type MediaFacts, MediaRejectedError, type MediaRejection, type MediaType } from './inspection.ts';
import { LARGEST_IMAGE_BYTES } from './limits.ts';

const imageFormats: readonly { is: (bytes: Buffer) => boolean; inspect: (bytes: Buffer) => MediaFacts }[] = [
  { is: isPng, inspect: inspectPng },
  { is: isJpeg, inspect: inspectJpeg },
  { is: isGif, inspect: inspectGif },
  { is: isWebp, inspect: inspectWebp },
];

/** Other names of the accepted types. QuickTime and MP4 files are commonly declared as each other. */
const declaredNames: Readonly<Record<string, readonly MediaType[]>> = {
  'image/png': ['image/png'],
  'image/apng': ['image/png'],
  'image/jpeg': ['image/jpeg'],
  'image/jpg': ['image/jpeg'],
  'image/pjpeg': ['image/jpeg'],
  'image/gif': ['image/gif'],
  'image/webp': ['image/webp'],
  'video/mp4': ['video/mp4', 'video/quicktime'],
  'video/x-m4v': ['video/mp4', 'video/quicktime'],
  'video/quicktime': ['video/quicktime', 'video/mp4'],
};

/** Types that HTTP clients send when they do not know. */
const undeclared = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
]);

const typeNames: Readonly<Record<MediaType, string>> = {
  'image/png': 'a PNG',
  'image/jpeg': 'a JPEG',
  'image/gif': 'a GIF',
  'image/webp': 'a WebP',
  'video/mp4': 'an MP4 video',
  'video/quicktime': 'a QuickTime video',
};

/** Options of {@link inspectMedia}. */
export interface InspectOptions {
  /** Type declared by the caller, in `media_type` or the part's header; compared with the detected one. */
  readonly declared?: string | undefined;
}

/**
 * Inspects bytes from the first to the last of their structure. Images are read completely, up to the largest that any category
 * allows; of a video little more than its index is read.
 * @returns the properties of the bytes, or the reason for their rejection (distinguished by `reason`)
 * @throws the source's error when it cannot be read
 */
export async function inspectMedia(
  source: Uint8Array | ByteSource,
  options: InspectOptions = {},
): Promise<MediaFacts | MediaRejection> {
  try {
    const facts = await inspectSource(source instanceof Uint8Array ? bytesSource(source) : source);
    checkDeclared(options.declared, facts.media_type);
    return facts;
  } catch (error) {
    if (error instanceof MediaRejectedError) return { reason: error.reason, message: error.message };
    throw error;
  }
}

async function inspectSource(source: ByteSource): Promise<MediaFacts> {
  if (source.size === 0) throw new MediaRejectedError('truncated', 'The file is empty.');
  const window = new SourceWindow(source);
  const start = await window.at(0, Math.min(source.size, 512));
  const image = imageFormats.find(({ is }) => is(start));
  if (image) {
    if (source.size > LARGEST_IMAGE_BYTES) {
      throw new MediaRejectedError(
        'too_large',
        `The image has ${source.size} bytes; at most ${LARGEST_IMAGE_BYTES} are taken.`,
      );
    }
    return image.inspect(await window.at(0, source.size));
  }
  if (isMp4(start)) return inspectMp4(window);
  const foreign = foreignType(start);
  throw new MediaRejectedError(
    'unknown_type',
    `The bytes are ${foreign ?? 'of no type that is known'}; PNG, JPEG, GIF, WebP, MP4 and QuickTime are accepted.`,
  );
}

function checkDeclared(declared: string | undefined, found: MediaType): void {
  const name = (declared ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (undeclared.has(name)) return;
  if (Object.hasOwn(declaredNames, name) && declaredNames[name]?.includes(found)) return;
  const shown = name.length <= 100 ? name.replaceAll(/[^\x20-\x7e]/g, '?') : 'something else';
  throw new MediaRejectedError('lying', `The upload is named ${shown}, but the bytes are ${typeNames[found]}.`);
}
