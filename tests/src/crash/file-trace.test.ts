import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileTrace } from '../../faults/file-trace.ts';

const kinds = { create: 1, write: 2, sync: 4, mkdir: 7, rmdir: 8 };

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
