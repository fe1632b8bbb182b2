/**
 * Media for posts of generated people: photos that are drawn here, and clips that the package ships. A few serve any number
 * of posts, and nothing is downloaded for them.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { defaultMediaCategories, type MediaCategory } from '@broadside/core/resources/media';
import { inspectMedia } from '../../media/inspect.ts';
import type { MediaFacts } from '../../media/inspection.ts';
import { encodePicture } from '../../media/stills/indexed-picture.ts';
import { stillKey } from '../../media/stills/still-key.ts';
import { packageFile } from '../../package-file.ts';
import { drawShelf } from './drawing.ts';
import { plainZlib } from './plain-zlib.ts';

/** Bytes and their properties. */
export interface StockMedia {
  readonly facts: MediaFacts;
  readonly category: MediaCategory;
  readonly alt_text: string;
  readonly blob_key: string;
  readonly bytes: Buffer;
  /** The first frame of a video or an animated GIF. */
  readonly still: { readonly blob_key: string; readonly bytes: Buffer } | null;
}

const STILL = 'still';
const shelfSizes = [
  [320, 200],
  [240, 240],
  [200, 300],
  [400, 220],
] as const;
const SHELVES = 12;

/** Widths of the clips in `clips`; all are 96 pixels high and take two seconds. */
const clipWidths = { video: [128, 144, 176], animated_gif: [128, 144, 160] } as const;
const clipExtensions = { video: 'mp4', animated_gif: 'gif' } as const;

/** Draws a photo of a shelf. Equal numbers make equal photos, on every machine. @param size width and height in pixels */
export function stockPhoto(
  number: number,
  [width, height]: readonly [number, number] = shelfSizes[number % shelfSizes.length] ?? shelfSizes[0],
): Promise<StockMedia> {
  return describe(
    encodePicture(drawShelf(width, height, number), plainZlib),
    null,
    'Three boards of a shelf, with books of many colours',
  );
}

/** Returns a clip of a boat that crosses the sea, as a video or as an animated GIF. @param number selects the width */
export async function stockClip(kind: 'video' | 'animated_gif', number: number): Promise<StockMedia> {
  const widths = clipWidths[kind];
  const width = widths[number % widths.length] ?? widths[0];
  const [bytes, still] = await Promise.all(
    [clipExtensions[kind], 'png'].map((extension) => readFile(packageFile(`clips/boat-${width}.${extension}`))),
  );
  if (!bytes || !still) throw new TypeError('a clip and its still are two files');
  return describe(bytes, still, 'A small boat with one sail crosses a calm sea');
}

/** The media that generated posts share. */
export interface StockPool {
  readonly photos: readonly StockMedia[];
  readonly videos: readonly StockMedia[];
  readonly gifs: readonly StockMedia[];
}

/** Draws and reads the media of generated posts. */
export async function stockPool(): Promise<StockPool> {
  const several = (count: number, make: (number: number) => Promise<StockMedia>) =>
    Promise.all(Array.from({ length: count }, (_, number) => make(number)));
  return {
    photos: await several(SHELVES, (number) => stockPhoto(number)),
    videos: await several(2, (number) => stockClip('video', number)),
    gifs: await several(2, (number) => stockClip('animated_gif', number)),
  };
}

async function describe(bytes: Buffer, still: Buffer | null, alt_text: string): Promise<StockMedia> {
  const facts = await inspectMedia(bytes);
  if ('reason' in facts) throw new TypeError(facts.message);
  // Equal bytes are stored once.
  const blob_key = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return {
    facts,
    category: defaultMediaCategories[facts.kind],
    alt_text,
    blob_key,
    bytes,
    still: still && { blob_key: stillKey(blob_key, STILL), bytes: still },
  };
}
