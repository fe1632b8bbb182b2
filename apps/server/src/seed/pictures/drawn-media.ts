/**
 * Media for posts that nobody made: drawn by the program, so that a seeded platform has real bytes and nothing is fetched or
 * shipped for them. A few serve any number of posts.
 */
import { createHash } from 'node:crypto';
import { defaultMediaCategories, type MediaCategory } from '@broadside/core';
import { inspectMedia } from '../../media/inspect.ts';
import type { MediaFacts } from '../../media/inspection.ts';
import { encodePicture } from '../../media/stills/indexed-picture.ts';
import { stillKey } from '../../media/stills/still-key.ts';
import { encodeAnimation } from './animation.ts';
import { drawBoat, drawShelf } from './drawing.ts';
import { encodeFilm } from './film.ts';
import { plainZlib } from './plain-zlib.ts';

/** Bytes and what is known of them. */
export interface DrawnMedia {
  readonly facts: MediaFacts;
  readonly category: MediaCategory;
  readonly alt_text: string;
  readonly blob_key: string;
  readonly bytes: Buffer;
  /** Its first picture, of what moves. */
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

/** Photos of shelves; {@link drawnMoving} is what moves. Equal numbers make equal media. */
export function drawnPhoto(number: number): Promise<DrawnMedia> {
  const [width, height] = shelfSizes[number % shelfSizes.length] ?? shelfSizes[0];
  return drawn(
    encodePicture(drawShelf(width, height, number), plainZlib),
    null,
    'Three boards of a shelf, with books of many colours',
  );
}

/** A boat that crosses the sea, as a video or as an animated GIF. @param number decides how wide the sea is */
export function drawnMoving(kind: 'video' | 'animated_gif', number: number): Promise<DrawnMedia> {
  const width = 128 + 16 * (number % 4);
  const height = 96;
  const count = 16;
  const pictures = Array.from({ length: count }, (_, index) => drawBoat(width, height, index / (count - 1)));
  const bytes =
    kind === 'video'
      ? encodeFilm(pictures, 125)
      : encodeAnimation(
          pictures.filter((_, i) => i % 4 === 0),
          50,
        );
  const still = encodePicture(drawBoat(width, height, 0));
  return drawn(bytes, still, 'A small boat with one sail crosses a calm sea');
}

/** All that seeding uses. */
export interface DrawnPool {
  readonly photos: readonly DrawnMedia[];
  readonly videos: readonly DrawnMedia[];
  readonly gifs: readonly DrawnMedia[];
}

/** Draws what generated posts show. */
export async function drawPool(): Promise<DrawnPool> {
  const several = (count: number, draw: (number: number) => Promise<DrawnMedia>) =>
    Promise.all(Array.from({ length: count }, (_, number) => draw(number)));
  return {
    photos: await several(SHELVES, drawnPhoto),
    videos: await several(2, (number) => drawnMoving('video', number)),
    gifs: await several(2, (number) => drawnMoving('animated_gif', number)),
  };
}

async function drawn(bytes: Buffer, still: Buffer | null, alt_text: string): Promise<DrawnMedia> {
  const facts = await inspectMedia(bytes);
  if ('reason' in facts) throw new TypeError(facts.message);
  // What is the same lies in the store once.
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
