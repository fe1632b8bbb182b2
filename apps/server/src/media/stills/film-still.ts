/** A frame of a film as its still, decoded in a thread of its own. */
import { Worker } from 'node:worker_threads';
import { threadFile } from '../../thread-file.ts';
import type { ByteSource } from '../byte-source.ts';
import { findKeyPictures } from '../formats/mp4-key-pictures.ts';
import { type MediaFacts, MediaRejectedError } from '../inspection.ts';
import type { FilmWorkerStart } from './film-worker.ts';

/** The number of key pictures that are looked at for one that shows something: films often start black (our choice). */
const CANDIDATES = 3;
/** A frame of 8 megapixels takes a second. */
const MAX_MS = 10_000;
/** Of the thread's objects. Its pictures are outside of them, and bounded by the largest that is decoded and shown. */
const MAX_HEAP_MB = 64;
const MAX_PIXELS = 4096 * 4096;
/** Threads at the same moment; more wait. */
const MAX_THREADS = 2;

/** Limits of the thread, for tests. */
export interface FilmLimits {
  readonly max_ms?: number;
}

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Decodes a frame of a film.
 * @param source a video that passed inspection, of which a few pictures are read
 * @returns a PNG; `undefined` where it cannot be decoded: another codec than H.264, a damaged or unusual stream, too much time
 */
export async function filmStill(
  { width, height }: Pick<MediaFacts, 'width' | 'height'>,
  source: ByteSource,
  { max_ms = MAX_MS }: FilmLimits = {},
): Promise<Buffer | undefined> {
  if (width * height > MAX_PIXELS) return undefined;
  const found = await findKeyPictures(source, CANDIDATES).catch((error: unknown) => {
    if (error instanceof MediaRejectedError) return undefined;
    throw error;
  });
  if (!found) return undefined;
  while (running >= MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await decodeInThread({ pictures: found.pictures, shown: { width, height, turn: found.turn } }, max_ms);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function decodeInThread(workerData: FilmWorkerStart, max_ms: number): Promise<Buffer | undefined> {
  const { url, execArgv } = threadFile(new URL('./film-worker.ts', import.meta.url), 'dist/film-worker.js');
  return new Promise((resolve) => {
    const worker = new Worker(url, {
      workerData,
      execArgv,
      name: 'film still',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_HEAP_MB },
    });
    const timer = setTimeout(() => void worker.terminate(), max_ms);
    let still: Buffer | undefined;
    worker.on('message', (bytes: Uint8Array | undefined) => {
      still = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    });
    // A thread that fails, or has too little memory, leaves the film without a frame.
    worker.on('error', () => {});
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(still);
    });
  });
}
