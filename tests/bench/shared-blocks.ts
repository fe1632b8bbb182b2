/** File systems whose files can share blocks. */
import { spawnSync } from 'node:child_process';
import { constants, copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Room for stores of a million posts, their copies and a search index; only what is written takes space. */
const BYTES = 16 * 2 ** 30;

/** Returns whether files in a directory can share blocks. */
export function sharesBlocks(directory: string): boolean {
  const [probe, clone] = [path.join(directory, 'probe'), path.join(directory, 'probe-clone')];
  try {
    writeFileSync(probe, Buffer.alloc(4096));
    copyFileSync(probe, clone, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
    rmSync(clone, { force: true });
  }
}

/**
 * Runs a work in a directory of an XFS that is made for it in a file, and removed with it. That takes root and `mkfs.xfs` (of Debian's
 * xfsprogs).
 * @returns the result, or why there is no such file system
 */
export async function onSharedBlocks<Result>(work: (parent: string) => Promise<Result>): Promise<Result | string> {
  const place = mkdtempSync(path.join(tmpdir(), 'broadside-xfs-'));
  const [image, mounted] = [path.join(place, 'image'), mkdtempSync(path.join(place, 'mounted-'))];
  try {
    writeFileSync(image, '');
    truncateSync(image, BYTES);
    const obstacle = failureOf('mkfs.xfs', ['-q', image]) ?? failureOf('mount', ['-o', 'loop', image, mounted]);
    if (obstacle !== undefined) return obstacle;
    try {
      return await work(mounted);
    } finally {
      // Processes that have just been killed may still have files open there.
      spawnSync('umount', ['--lazy', mounted]);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Why a command failed, in one line; `undefined` where it did not. */
function failureOf(command: string, args: readonly string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) return `${command} cannot be run: ${error.message}`;
  return status === 0 ? undefined : `${command} failed: ${stderr.trim().split('\n')[0] ?? ''}`;
}
