import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileTrace } from '../../faults/file-trace.ts';

const kinds = { create: 1, write: 2, sync: 4, rename: 5, mkdir: 7, rmdir: 8, link: 10 };

/** A record of a trace, as `shim.c` writes them. */
function record(kind: keyof typeof kinds, inode: bigint, names: readonly string[], bytes = ''): Buffer {
  const header = Buffer.alloc(32);
  const text = Buffer.from(names.join('\0'));
  header.writeUInt32LE(kinds[kind], 0);
  header.writeUInt32LE(text.length, 4);
  header.writeBigUInt64LE(inode, 8);
  header.writeBigUInt64LE(BigInt(bytes.length), 24);
  return Buffer.concat([header, text, Buffer.from(bytes)]);
}

test('a synced file is kept, also under the inode that a removed directory had', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-trace-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const directory = path.join(scratch, 'data');
  mkdirSync(directory);
  const root = lstatSync(directory, { bigint: true }).ino;
  const inode = root + 1n;
  const gone = path.join(directory, 'gone');
  const files = new FileTrace(directory, path.join(scratch, 'copy'));
  const trace = path.join(scratch, 'trace');
  writeFileSync(
    trace,
    Buffer.concat([
      record('mkdir', inode, [gone, gone]),
      record('rmdir', 0n, [gone, gone]),
      record('create', inode, [path.join(directory, 'file')]),
      record('write', inode, [], 'acknowledged'),
      record('sync', inode, []),
      record('sync', root, []),
    ]),
  );
  files.play(trace);
  files.leave(path.join(scratch, 'left'), { kept: 0, torn: 0, chance: () => 0.5 });
  expect(readFileSync(path.join(scratch, 'left', 'file'), 'utf8')).toBe('acknowledged');
});

/** Plays a trace over an empty directory, and leaves what is on disk. @param steps by the directory, and its inode */
function left(steps: (directory: string, root: bigint) => readonly Buffer[]): string {
  const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-trace-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const directory = path.join(scratch, 'data');
  mkdirSync(directory);
  const files = new FileTrace(directory, path.join(scratch, 'copy'));
  const trace = path.join(scratch, 'trace');
  writeFileSync(trace, Buffer.concat([...steps(directory, lstatSync(directory, { bigint: true }).ino)]));
  files.play(trace);
  const place = path.join(scratch, 'left');
  files.leave(place, { kept: 0, torn: 0, chance: () => 0.5 });
  return place;
}

/** A directory with a file, both on disk but for the name of the directory. */
function made(directory: string, root: bigint): Buffer[] {
  const [folder, file] = [root + 1n, root + 2n];
  const place = path.join(directory, 'making');
  return [
    record('mkdir', folder, [place, place]),
    record('create', file, [path.join(place, 'file')]),
    record('write', file, [], 'whole'),
    record('sync', file, []),
    record('sync', folder, []),
  ];
}

const renamed = (directory: string) =>
  record('rename', 0n, [path.join(directory, 'making'), path.join(directory, 'place')]);

test('a directory that was renamed has all that is in it, once the names beside it are synced', () => {
  const synced = left((directory, root) => [...made(directory, root), renamed(directory), record('sync', root, [])]);
  expect(readFileSync(path.join(synced, 'place', 'file'), 'utf8')).toBe('whole');
  expect(readdirSync(synced)).toEqual(['place']);
  const before = left((directory, root) => [...made(directory, root), record('sync', root, []), renamed(directory)]);
  expect(readdirSync(before)).toEqual(['making']);
  expect(readFileSync(path.join(before, 'making', 'file'), 'utf8')).toBe('whole');
  expect(readdirSync(left((directory, root) => [...made(directory, root), renamed(directory)]))).toEqual([]);
});

test('what is made in a directory that was renamed is there, by its new path', () => {
  const place = left((directory, root) => [
    ...made(directory, root),
    renamed(directory),
    record('create', root + 3n, [path.join(directory, 'place', 'later')]),
    record('sync', root, []),
    record('sync', root + 1n, []),
  ]);
  expect(readdirSync(path.join(place, 'place')).sort()).toEqual(['file', 'later']);
});

test('a file has the same bytes under each of its names, and only those that are synced', () => {
  const place = left((directory, root) => [
    ...made(directory, root),
    record('link', root + 2n, [path.join(directory, 'making', 'file'), path.join(directory, 'second')]),
    record('sync', root, []),
    record('link', root + 2n, [path.join(directory, 'making', 'file'), path.join(directory, 'third')]),
    record('write', root + 2n, [], 'later'),
  ]);
  expect(readdirSync(place)).toEqual(['making', 'second']);
  for (const name of ['making/file', 'second']) expect(readFileSync(path.join(place, name), 'utf8')).toBe('whole');
});

test('a file that was moved has left its old directory and has come to the new one, whichever of them is synced', () => {
  const moved = (synced: bigint) =>
    left((directory, root) => [
      ...made(directory, root),
      record('sync', root, []),
      record('rename', 0n, [path.join(directory, 'making', 'file'), path.join(directory, 'file')]),
      record('sync', root + synced, []),
    ]);
  for (const place of [moved(0n), moved(1n)]) {
    expect(readdirSync(place, { recursive: true })).toEqual(['file', 'making']);
    expect(readFileSync(path.join(place, 'file'), 'utf8')).toBe('whole');
  }
});
