import type { ByteSource } from '../byte-source.ts';
import type { MediaFacts } from '../inspection.ts';
import { firstFrame } from './first-frame.ts';
import { encodePicture } from './indexed-picture.ts';
import { poster } from './poster.ts';

/** What every still is. */
export const STILL_TYPE = 'image/png';

/**
 * The still that is shown in place of what moves: of an animated GIF its first frame, of a video a picture of its size.
 * @param source the bytes that the facts were found in
 * @returns a PNG; `undefined` for what does not move
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
      return encodePicture(poster(facts.width, facts.height));
  }
}
