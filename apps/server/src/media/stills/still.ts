import type { ByteSource } from '../byte-source.ts';
import type { MediaFacts } from '../inspection.ts';
import { filmStill } from './film-still.ts';
import { firstFrame } from './first-frame.ts';
import { encodePicture } from './indexed-picture.ts';
import { poster } from './poster.ts';

/** Type of every still. */
export const STILL_TYPE = 'image/png';

/**
 * Makes the still image of a video or animation: of an animated GIF its first frame, of a video a key
 * picture, or a placeholder of its size where it cannot be decoded.
 * @param source the bytes in which the facts were found
 * @returns a PNG; `undefined` for an image
 */
export async function makeStill(facts: MediaFacts, source: ByteSource): Promise<Buffer | undefined> {
  switch (facts.kind) {
    case 'photo':
      return undefined;
    case 'animated_gif': {
      const bytes = await source.read(0, source.size);
      return encodePicture(firstFrame(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
    }
    case 'video':
      return (await filmStill(facts, source)) ?? encodePicture(poster(facts.width, facts.height));
  }
}
