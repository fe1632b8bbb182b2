import { createHash } from 'node:crypto';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { startS3Server } from '@broadside/test-servers/s3';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { blobSource } from '../byte-source.ts';
import { inspectMedia } from '../inspect.ts';
import { encodeMp4 } from '../testing/videos.ts';
import { BlobKeyError, BlobNotFoundError, BlobRangeError, type BlobStore } from './blob-store.ts';
import { DiskBlobStore } from './disk-store.ts';
import { parseS3Location } from './s3-location.ts';
import { S3BlobStore } from './s3-store.ts';
import { type Segment, SegmentStore, SegmentsError } from './segments.ts';
import { SharedBlobs } from './shared-blobs.ts';

const stores: Readonly<Record<string, (part_bytes?: number) => Promise<BlobStore>>> = {
  'files on disk': () => DiskBlobStore.open(temporaryDirectory()),
  'an S3-compatible store': async (part_bytes = 1000) => {
    const credentials = { accessKeyId: 'AKTEST', secretAccessKey: 'secret/with+signs', sessionToken: 'session==' };
    const server = await startS3Server({ bucket: 'media', region: 'eu-test-1', leastPartBytes: 1000, ...credentials });
    onTestFinished(() => server.close());
    const location = parseS3Location(`s3://media/some/prefix?region=eu-test-1&endpoint=${server.url}`);
    const objects = new S3BlobStore(location, credentials, { part_bytes, patience: { attempts: 1 } });
    return new SharedBlobs(objects, path.join(temporaryDirectory(), 'media'));
  },
};

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function readAll(store: BlobStore, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  return buffer((await store.open(key, range)).body);
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe.each(Object.entries(stores))('%s', (_, makeStore) => {
  test('return what was put, by size and digest, for any length and chunking', async () => {
    const store = await makeStore();
    const arbitrary = fc.record({
      bytes: fc.uint8Array({ maxLength: 4200, size: 'max' }),
      size: fc.integer({ min: 1, max: 1500 }),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ bytes, size }) => {
        const stored = await store.put('a/b.bin', inPieces(bytes, size));
        expect(stored).toEqual({ size: bytes.length, sha256: sha256(bytes) });
        expect(await store.size('a/b.bin')).toBe(bytes.length);
        const opened = await store.open('a/b.bin');
        expect(opened.size).toBe(bytes.length);
        expect(Buffer.compare(await buffer(opened.body), bytes)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('handle lengths around a part size exactly', async () => {
    const store = await makeStore();
    for (const length of [0, 1, 999, 1000, 1001, 1999, 2000, 2001, 3000]) {
      const bytes = Buffer.alloc(length, 'abcdefg');
      for (const content of [bytes, Readable.from(length ? [bytes] : [])]) {
        expect(await store.put('k', content)).toEqual({ size: length, sha256: sha256(bytes) });
        expect(Buffer.compare(await readAll(store, 'k'), bytes)).toBe(0);
      }
    }
  });

  test('read any range', async () => {
    const store = await makeStore();
    const bytes = Buffer.from(Array.from({ length: 3210 }, (__, index) => index % 251));
    await store.put('ranged', bytes);
    const arbitrary = fc.tuple(fc.nat(3209), fc.nat(3209));
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([one, other]) => {
        const range = { start: Math.min(one, other), end: Math.max(one, other) };
        const opened = await store.open('ranged', range);
        expect(opened.size).toBe(3210);
        expect(Buffer.compare(await buffer(opened.body), bytes.subarray(range.start, range.end + 1))).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  test('reject a range outside the blob', async () => {
    const store = await makeStore();
    await store.put('ten', Buffer.alloc(10));
    for (const [start, end] of [
      [10, 10],
      [0, 10],
      [5, 4],
      [-1, 3],
      [0.5, 3],
      [0, Number.NaN],
    ] as const) {
      await expect(store.open('ten', { start, end })).rejects.toThrow(BlobRangeError);
    }
  });

  test('report a blob that was never put or was deleted as missing', async () => {
    const store = await makeStore();
    await store.put('here', Buffer.from('x'));
    await store.delete('here');
    await store.delete('here');
    for (const key of ['here', 'never']) {
      expect(await store.size(key)).toBeUndefined();
      await expect(store.open(key)).rejects.toThrow(BlobNotFoundError);
      await expect(store.open(key, { start: 0, end: 0 })).rejects.toThrow(BlobNotFoundError);
    }
  });

  test('keep a key and keys below it separate', async () => {
    const store = await makeStore();
    const keys = ['a', 'a/b', 'a/b/c', 'a.b', 'a-b', 'a_b'];
    for (const key of keys) await store.put(key, Buffer.from(key));
    for (const key of keys) expect((await readAll(store, key)).toString()).toBe(key);
  });

  test('replace a blob atomically', async () => {
    const store = await makeStore();
    await store.put('k', Buffer.from('a longer first'));
    const opened = await store.open('k');
    await store.put('k', Buffer.from('second'));
    expect((await buffer(opened.body)).toString()).toBe('a longer first');
    expect((await readAll(store, 'k')).toString()).toBe('second');
  });

  test('keep the old blob when the content fails, and close the source when the store fails', async () => {
    const store = await makeStore();
    await store.put('k', Buffer.from('first'));
    async function* broken() {
      yield Buffer.alloc(2500);
      throw new Error('the caller went away');
    }
    await expect(store.put('k', broken())).rejects.toThrow('the caller went away');
    expect((await readAll(store, 'k')).toString()).toBe('first');
  });

  test('reject keys that could escape the directory', async () => {
    const store = await makeStore();
    const keys = [
      '',
      '.',
      '..',
      '../a',
      'a/..',
      'a/../b',
      '/a',
      'a/',
      'a//b',
      'A',
      'a b',
      'a\\b',
      'a\0',
      'é',
      '.a',
      'a/.b',
      'a%2e',
      'a+b',
      'a?b',
      'x'.repeat(201),
    ];
    for (const key of keys) {
      await expect(store.put(key, Buffer.from('x')), key).rejects.toThrow(BlobKeyError);
      await expect(store.open(key), key).rejects.toThrow(BlobKeyError);
      await expect(store.size(key), key).rejects.toThrow(BlobKeyError);
      await expect(store.delete(key), key).rejects.toThrow(BlobKeyError);
    }
    await store.put('x'.repeat(200), Buffer.from('x'));
  });

  test('serve many concurrent writers and readers', async () => {
    const store = await makeStore();
    const keys = Array.from({ length: 30 }, (__, index) => `many/${index}`);
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key.repeat(300)))));
    await Promise.all(keys.map(async (key) => expect((await readAll(store, key)).toString()).toBe(key.repeat(300))));
  });

  test('are inspected in place', async () => {
    const store = await makeStore();
    const bytes = encodeMp4({ seconds: 2 });
    const { size } = await store.put('video', bytes);
    expect(await inspectMedia(blobSource(store, 'video', size))).toEqual(await inspectMedia(bytes));
  });

  describe('segments', () => {
    test('are joined by index, whatever their order, and the last upload of a segment wins', async () => {
      const store = await makeStore();
      const arbitrary = fc.record({
        parts: fc.array(fc.uint8Array({ minLength: 1, maxLength: 700 }), { minLength: 1, maxLength: 12 }),
        seed: fc.infiniteStream(fc.nat()),
      });
      let upload = 0;
      await fc.assert(
        fc.asyncProperty(arbitrary, async ({ parts, seed }) => {
          const id = String(++upload);
          const segments = new SegmentStore(store);
          const known = new Map<number, { index: number; size: number }>();
          const order = parts.map((part, index) => ({ part, index, rank: seed.next().value }));
          order.sort((one, other) => one.rank - other.rank);
          for (const { part, index, rank } of order) {
            if (rank % 3 === 0) known.set(index, await segments.append(id, index, Buffer.from('an earlier form')));
            known.set(index, await segments.append(id, index, part));
          }
          const whole = Buffer.concat(parts);
          const stored = await segments.assemble(id, [...known.values()], whole.length, `done/${id}`);
          expect(stored).toEqual({ size: whole.length, sha256: sha256(whole) });
          expect(Buffer.compare(await readAll(store, `done/${id}`), whole)).toBe(0);
          await segments.discard(id, known.keys());
          expect(await store.size(`uploads/${id}/0`)).toBeUndefined();
        }),
        { numRuns: 15 },
      );
    });

    test('that are missing are named, and must add up to the announced size', async () => {
      const segments = new SegmentStore(await makeStore());
      const appended: Segment[] = [];
      for (const index of [0, 2, 5]) appended.push(await segments.append('u', index, Buffer.alloc(10)));
      const assemble = (list: Segment[], bytes: number) => segments.assemble('u', list, bytes, 'done');
      await expect(assemble(appended, 30)).rejects.toThrow('Of the segments 0 to 5, 1, 3, 4 are missing.');
      await expect(assemble(appended.slice(1, 2), 10)).rejects.toThrow('Of the segments 0 to 2, 0, 1 are missing.');
      await expect(assemble([], 0)).rejects.toThrow('No segment has been appended.');
      await expect(assemble(appended.slice(0, 1), 11)).rejects.toThrow(
        'The segments have 10 bytes together, but total_bytes announced 11.',
      );
      expect(await assemble(appended.slice(0, 1), 10)).toMatchObject({ size: 10 });
    });

    test('out of bounds leave the stored ones unchanged', async () => {
      const store = await makeStore(1_000_000);
      const segments = new SegmentStore(store);
      for (const index of [-1, 1000, 0.5, Number.NaN]) {
        await expect(segments.append('u', index, Buffer.from('x'))).rejects.toThrow('from 0 to 999');
      }
      expect(await segments.append('u', 999, Buffer.from('kept'))).toEqual({ index: 999, size: 4 });
      await expect(segments.append('u', 999, Buffer.alloc(0))).rejects.toThrow('empty');
      const large = Buffer.alloc(5 * 1024 * 1024 + 1);
      await expect(segments.append('u', 999, inPieces(large, 1 << 20))).rejects.toThrow('at most 5242880 bytes');
      expect((await readAll(store, 'uploads/u/999')).toString()).toBe('kept');
    });

    test('that change while they are joined are detected', async () => {
      const segments = new SegmentStore(await makeStore());
      const first = await segments.append('u', 0, Buffer.alloc(10));
      await segments.append('u', 0, Buffer.alloc(12));
      await expect(segments.assemble('u', [first], 10, 'done')).rejects.toThrow(SegmentsError);
    });
  });
});
