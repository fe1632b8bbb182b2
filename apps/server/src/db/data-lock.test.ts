import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DataDirectoryInUseError, lockDataDirectory } from './data-lock.ts';
import { DatabaseOpenError } from './errors.ts';
import { startChild } from './testing/child.ts';
import { temporaryDirectory } from './testing/temporary.ts';

describe('lockDataDirectory', () => {
  it('rejects a second holder until the first has released it', () => {
    const directory = temporaryDirectory();
    const lock = lockDataDirectory(directory);
    expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUseError);
    expect(() => lockDataDirectory(directory)).toThrow(
      `The data directory ${directory} is in use by another running server.`,
    );
    lockDataDirectory(temporaryDirectory()).release();
    lock.release();
    const again = lockDataDirectory(directory);
    lock.release();
    expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUseError);
    again.release();
  });

  it('is held for another process, survives its garbage collection, and ends with SIGKILL', async () => {
    const directory = temporaryDirectory();
    for (let round = 0; round < 3; round++) {
      const holder = startChild('./lock-holder.ts', [directory]);
      expect((await holder.lines.next()).value).toBe('locked');
      expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUseError);
      const second = startChild('./lock-holder.ts', [directory]);
      const ended = await second.ended;
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain('DataDirectoryInUseError');
      holder.kill();
      await holder.ended;
      lockDataDirectory(directory).release();
    }
  });

  it('says so when the directory cannot be used', () => {
    const directory = temporaryDirectory();
    expect(() => lockDataDirectory(join(directory, 'missing'))).toThrow(DatabaseOpenError);
    writeFileSync(join(directory, 'lock.db'), 'something else entirely'.repeat(100));
    expect(() => lockDataDirectory(directory)).toThrow(DatabaseOpenError);
    rmSync(join(directory, 'lock.db'));
    lockDataDirectory(directory).release();
  });
});
