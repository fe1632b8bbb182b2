/** Uploads in segments: each is a blob of its own until they are joined. */
import { uploadLimits } from '@broadside/core/resources/media';
import { type BlobContent, type BlobStore, type OpenBlob, pieces, type StoredBlob } from './blob-store.ts';

/** A stored segment. */
export interface Segment {
  readonly index: number;
  readonly size: number;
}

/** Invalid segments. The message is for the person who uploads. */
export class SegmentsError extends Error {
  override readonly name = 'SegmentsError';
}

/** Validates the segments of an upload before they are joined; returns the problem, or `undefined`. */
export function checkSegments(segments: readonly Segment[], totalBytes: number): string | undefined {
  if (segments.length === 0) return 'No segment has been appended.';
  const present = new Set(segments.map(({ index }) => index));
  const last = Math.max(...present);
  const missing = Array.from({ length: last }, (_, index) => index).filter((index) => !present.has(index));
  if (missing.length > 0) {
    const shown = missing.slice(0, 20).join(', ');
    const rest = missing.length > 20 ? ` and ${missing.length - 20} more` : '';
    return `Of the segments 0 to ${last}, ${shown}${rest} ${missing.length === 1 ? 'is' : 'are'} missing.`;
  }
  const bytes = segments.reduce((sum, { size }) => sum + size, 0);
  if (bytes === totalBytes) return undefined;
  return `The segments have ${bytes} bytes together, but total_bytes announced ${totalBytes}.`;
}

/** Stores and joins segments. The caller keeps track of the segments of an upload. */
export class SegmentStore {
  readonly #store: BlobStore;

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /**
   * Stores a segment, replacing one with the same index.
   * @throws SegmentsError when the index or the size is out of bounds; the stored segment is then unchanged
   */
  async append(upload: string, index: number, content: BlobContent): Promise<Segment> {
    const { segments, segment_bytes } = uploadLimits;
    if (!Number.isInteger(index) || index < 0 || index >= segments) {
      throw new SegmentsError(`The segment index must be from 0 to ${segments - 1}.`);
    }
    const { size } = await this.#store.put(segmentKey(upload, index), bounded(content, segment_bytes));
    return { index, size };
  }

  /**
   * Joins segments under a key, in the order of their indexes, as a stream. The segments are not removed.
   * @param segments the results of `append`, the last one for each index
   * @throws SegmentsError when one is missing or their total size is not the announced one
   */
  async assemble(upload: string, segments: readonly Segment[], totalBytes: number, key: string): Promise<StoredBlob> {
    const problem = checkSegments(segments, totalBytes);
    if (problem !== undefined) throw new SegmentsError(problem);
    return this.#store.put(key, this.#content(upload, segments));
  }

  /** Removes segments. Missing ones are ignored. */
  async discard(upload: string, indexes: Iterable<number>): Promise<void> {
    for (const index of indexes) await this.#store.delete(segmentKey(upload, index));
  }

  async *#content(upload: string, segments: readonly Segment[]): AsyncGenerator<Uint8Array> {
    for (const { index, size } of segments.toSorted((one, other) => one.index - other.index)) {
      const { size: actual, body } = await this.#open(upload, index);
      if (actual !== size) {
        body.destroy();
        throw new SegmentsError(`Segment ${index} was replaced while the upload was put together.`);
      }
      yield* body;
    }
  }

  #open(upload: string, index: number): Promise<OpenBlob> {
    return this.#store.open(segmentKey(upload, index));
  }
}

function segmentKey(upload: string, index: number): string {
  return `uploads/${upload}/${index}`;
}

async function* bounded(content: BlobContent, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of pieces(content)) {
    size += piece.byteLength;
    if (size > most) throw new SegmentsError(`A segment has at most ${most} bytes.`);
    yield piece;
  }
  if (size === 0) throw new SegmentsError('The segment is empty.');
}
