import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { BlobStoreError } from './blob-store.ts';
import { DiskBlobStore } from './disk-store.ts';

const files = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test('blobs survive the store, in nested directories', async () => {
  const directory = temporaryDirectory();
  await (await DiskBlobStore.open(directory)).put('media/7', Buffer.from('bytes'));
  const again = await DiskBlobStore.open(directory);
  expect(await text((await again.open('media/7')).body)).toBe('bytes');
  const [folder = '', ...others] = readdirSync(join(directory, 'blobs'));
  expect(others).toEqual([]);
  expect(folder).toMatch(/^[0-9a-f]{2}$/);
  expect(readdirSync(join(directory, 'blobs', folder))).toEqual([expect.stringMatching(/^[0-9a-f]{2}$/)]);
  expect(files(directory)).toEqual(['media+7']);
});

test('a file that a crash left incomplete is not a blob, and is removed at the next start', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'incoming'));
  writeFileSync(join(directory, 'incoming', '1'), 'half');
  const store = await DiskBlobStore.open(directory);
  expect(files(directory)).toEqual([]);
  // The first write uses the same name.
  await store.put('k', Buffer.from('whole'));
  expect(files(directory)).toEqual(['k']);
});

test('a blob is not visible while it is written, and a failed write leaves nothing', async () => {
  const directory = temporaryDirectory();
  const store = await DiskBlobStore.open(directory);
  const sizes: (number | undefined)[] = [];
  async function* watched() {
    yield Buffer.from('one');
    sizes.push(await store.size('k'));
    yield Buffer.from('two');
  }
  await store.put('k', watched());
  expect(sizes).toEqual([undefined]);
  async function* broken() {
    yield Buffer.from('more');
    throw new Error('gone');
  }
  await expect(store.put('k', broken())).rejects.toThrow('gone');
  await expect(store.put('other', broken())).rejects.toThrow('gone');
  expect(files(directory)).toEqual(['k']);
  expect(await text((await store.open('k')).body)).toBe('onetwo');
});

test('an unusable directory is a clear error, and so is a failed write', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'file'), '');
  await expect(DiskBlobStore.open(join(directory, 'file'))).rejects.toThrow(
    /^The folder of media .*file cannot be used: /,
  );
  const store = await DiskBlobStore.open(join(directory, 'media'));
  const blobs = join(directory, 'media', 'blobs');
  await store.put('k', Buffer.from('x'));
  let closed = false;
  async function* source() {
    try {
      yield Buffer.alloc(10);
    } finally {
      closed = true;
    }
  }
  // A directory is where the file of the blob should be.
  const key = 'taken';
  await store.put(key, Buffer.from('x'));
  await store.delete(key);
  for (const { parentPath, name } of readdirSync(blobs, { recursive: true, withFileTypes: true })) {
    if (parentPath !== blobs && name !== 'k') mkdirSync(join(parentPath, name, key));
  }
  await expect(store.put(key, source())).rejects.toThrow(BlobStoreError);
  await expect(store.put(key, source())).rejects.toThrow('The blob taken cannot be written: ');
  expect(closed).toBe(true);
  expect(files(join(directory, 'media'))).toEqual(['k']);
});

test('an abandoned stream closes its file', async () => {
  const store = await DiskBlobStore.open(temporaryDirectory());
  await store.put('k', Buffer.alloc(1_000_000));
  const open = () => readdirSync('/proc/self/fd').length;
  if (process.platform !== 'linux') return;
  const before = open();
  // A handle that nobody closes may be closed by the garbage collector, which emits a warning.
  const warnings: string[] = [];
  const warn = (warning: Error) => warnings.push(warning.message);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  for (let round = 0; round < 20; round++) {
    const { body } = await store.open('k');
    await new Promise((resolve) => body.once('close', resolve).destroy());
    await expect(store.open('k', { start: 0, end: 2_000_000 })).rejects.toThrow();
  }
  await buffer((await store.open('k')).body);
  expect(open()).toBeLessThan(before + 5);
  expect(warnings).toEqual([]);
});
