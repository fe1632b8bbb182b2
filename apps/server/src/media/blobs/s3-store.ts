/** Blobs as objects of an S3-compatible store. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BlobContent,
  BlobNotFoundError,
  BlobRangeError,
  type BlobStore,
  BlobStoreError,
  type ByteRange,
  checkBlobKey,
  checkBlobRange,
  type OpenBlob,
  pieces,
  type StoredBlob,
} from './blob-store.ts';
import { readS3Error, type S3Answer, S3Client, type S3Credentials, type S3Patience, xmlText } from './s3-client.ts';
import type { S3Location } from './s3-location.ts';

/** Stores accept parts of 5 MiB and more; this much of a blob is buffered at a time. */
const PART_BYTES = 8 * 1024 * 1024;

/** Options of an {@link S3BlobStore}. */
export interface S3Options {
  readonly patience?: Partial<S3Patience>;
  /** Size of a part in bytes. */
  readonly part_bytes?: number;
}

/** A store in a bucket. Blobs up to one part are sent at once, larger ones in parts, each of which may be retried. */
export class S3BlobStore implements Omit<BlobStore, 'beginCopy'> {
  readonly #client: S3Client;
  readonly #partBytes: number;

  constructor(location: S3Location, credentials: S3Credentials, options: S3Options = {}) {
    this.#client = new S3Client(location, credentials, options.patience);
    this.#partBytes = options.part_bytes ?? PART_BYTES;
  }

  async put(key: string, content: BlobContent): Promise<StoredBlob> {
    checkBlobKey(key);
    const hash = createHash('sha256');
    const parts = inParts(content, this.#partBytes);
    let size = 0;
    const take = (part: Uint8Array<ArrayBuffer>) => {
      hash.update(part);
      size += part.byteLength;
      return part;
    };
    try {
      const first = await parts.next();
      const second = first.done ? first : await parts.next();
      if (second.done) {
        await this.#putWhole(key, take(first.value ?? new Uint8Array()));
      } else {
        await this.#putParts(key, async (send) => {
          await send(take(first.value ?? new Uint8Array()));
          await send(take(second.value));
          for await (const part of parts) await send(take(part));
          return size;
        });
      }
    } finally {
      // Closes the source if the store failed before its end.
      await parts.return(undefined);
    }
    return { size, sha256: hash.digest('hex') };
  }

  async open(key: string, range?: ByteRange): Promise<OpenBlob> {
    checkBlobKey(key);
    if (range) checkBlobRange(key, range);
    const answer = await this.#get(key, range);
    if (answer.status === 404) {
      await answer.discard();
      throw new BlobNotFoundError(key);
    }
    const size = range ? sizeOfRange(answer, range) : sizeOfWhole(answer);
    if (size === undefined) {
      await answer.discard();
      if (range && answer.status !== 200) throw new BlobRangeError(key, range, undefined);
      throw new BlobStoreError(`The blob ${key} cannot be read: the object store did not say how long its answer is.`);
    }
    const wanted = range ?? { start: 0, end: size - 1 };
    return { size, body: Readable.from(this.#body(key, wanted, answer), { objectMode: false }) };
  }

  async size(key: string): Promise<number | undefined> {
    checkBlobKey(key);
    const answer = await this.#client.send({ method: 'HEAD', key, what: `The blob ${key} cannot be read` });
    await answer.discard();
    return answer.status === 404 ? undefined : sizeOfWhole(answer);
  }

  async delete(key: string): Promise<void> {
    checkBlobKey(key);
    const answer = await this.#client.send({ method: 'DELETE', key, what: `The blob ${key} cannot be removed` });
    await answer.discard();
  }

  async *list(): AsyncGenerator<string> {
    for await (const { key } of this.#client.list('')) yield key;
  }

  #get(key: string, range: ByteRange | undefined, etag?: string): Promise<S3Answer> {
    return this.#client.send({
      method: 'GET',
      key,
      headers: {
        ...(range ? { range: `bytes=${range.start}-${range.end}` } : {}),
        ...(etag === undefined ? {} : { 'if-match': etag }),
      },
      what: `The blob ${key} cannot be read`,
    });
  }

  /** The bytes of a range. When the connection breaks, the rest is requested again, as long as it is the same blob. */
  async *#body(key: string, range: ByteRange, first: S3Answer): AsyncGenerator<Uint8Array> {
    const etag = first.headers.get('etag') ?? undefined;
    const { attempts, pause_ms } = this.#client.patience;
    let answer = first;
    let start = range.start;
    for (let attempt = 1; ; attempt++) {
      let failure: unknown;
      try {
        for await (const piece of answer.stream()) {
          // Only attempts without any progress count.
          attempt = 1;
          start += piece.byteLength;
          yield piece;
        }
      } catch (error) {
        failure = error;
      }
      if (start === range.end + 1) return;
      if (attempt >= attempts || etag === undefined || start > range.end) {
        throw new BlobStoreError(`The blob ${key} broke off while it was read.`, { cause: failure });
      }
      await delay(pause_ms * 2 ** (attempt - 1));
      answer = await this.#get(key, { start, end: range.end }, etag);
      if (answer.status !== 206) {
        await answer.discard();
        throw new BlobStoreError(`The blob ${key} was changed while it was read.`, { cause: failure });
      }
    }
  }

  async #putWhole(key: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
    const what = `The blob ${key} cannot be written`;
    await this.#served(what, await this.#client.send({ method: 'PUT', key, body, what }));
  }

  async #putParts(
    key: string,
    sendAll: (send: (part: Uint8Array<ArrayBuffer>) => Promise<void>) => Promise<number>,
  ): Promise<void> {
    const what = `The blob ${key} cannot be written`;
    const begun = await this.#served(
      what,
      await this.#client.send({ method: 'POST', key, query: { uploads: '' }, what }),
    );
    const uploadId = xmlText(begun.text, 'UploadId');
    if (!uploadId) throw new BlobStoreError(`${what}: the object store began no upload.`);
    try {
      const etags: string[] = [];
      const size = await sendAll(async (body) => {
        const query = { partNumber: String(etags.length + 1), uploadId };
        const { headers } = await this.#served(
          what,
          await this.#client.send({ method: 'PUT', key, query, body, what }),
        );
        etags.push(headers.get('etag') ?? '');
      });
      await this.#complete(key, uploadId, etags, size, what);
    } catch (error) {
      // Abandoned parts would incur costs forever. The store may be unreachable, which the first error reports.
      await this.#client.send({ method: 'DELETE', key, query: { uploadId }, what }).then(
        (answer) => answer.discard(),
        () => {},
      );
      throw error;
    }
  }

  async #complete(key: string, uploadId: string, etags: readonly string[], size: number, what: string): Promise<void> {
    const list = etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    );
    const body = new TextEncoder().encode(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
    const { attempts, pause_ms } = this.#client.patience;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#client.send({ method: 'POST', key, query: { uploadId }, body, what });
      const text = await answer.text();
      // The store may respond 200 early, and report an error in the body.
      const error = readS3Error(text);
      if (answer.status === 200 && !error) return;
      // Nobody else completes the upload: if it is gone, a request whose response was lost has completed it.
      if (error?.code === 'NoSuchUpload' && (await this.size(key)) === size) return;
      if (attempt >= attempts || error?.code !== 'InternalError') {
        throw new BlobStoreError(
          `${what}: the object store answered ${answer.status} (${error?.code ?? 'no reason'}).`,
        );
      }
      await delay(pause_ms * 2 ** (attempt - 1));
    }
  }

  /** Checks the response to a write. */
  async #served(what: string, answer: S3Answer): Promise<{ headers: Headers; text: string }> {
    const text = await answer.text();
    if (answer.status < 300) return { headers: answer.headers, text };
    const error = readS3Error(text);
    throw new BlobStoreError(
      `${what}: the object store answered ${answer.status} (${error ? `${error.code}: ${error.message}` : 'no reason'}).`,
    );
  }
}

/** Splits content into parts of one size, the last of which may be shorter. */
async function* inParts(content: BlobContent, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let part = new Uint8Array(0);
  let filled = 0;
  for await (const piece of pieces(content)) {
    for (let taken = 0; taken < piece.byteLength; ) {
      if (filled === part.byteLength) {
        if (filled === size) {
          yield part;
          filled = 0;
          part = new Uint8Array(0);
        }
        // Grows towards a whole part, so that a small blob needs little memory.
        const larger = new Uint8Array(Math.min(size, Math.max(64 * 1024, part.byteLength * 4)));
        larger.set(part);
        part = larger;
      }
      const count = Math.min(part.byteLength - filled, piece.byteLength - taken);
      part.set(piece.subarray(taken, taken + count), filled);
      filled += count;
      taken += count;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
  return undefined;
}

function sizeOfWhole(answer: S3Answer): number | undefined {
  const length = answer.headers.get('content-length');
  return answer.status === 200 && length !== null && /^\d+$/.test(length) ? Number(length) : undefined;
}

/** Returns the size of the whole blob from the response to a range request, if the range is the requested one. */
function sizeOfRange(answer: S3Answer, range: ByteRange): number | undefined {
  if (answer.status !== 206) return undefined;
  const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
  return Number(start) === range.start && Number(end) === range.end ? Number(size) : undefined;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
