/** A small file system in memory, which a test can fill. Mounting needs root. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Returns whether this process may mount file systems: as root on Linux, where the container allows it. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    new SmallDisk('64k').remove();
    return true;
  } catch {
    return false;
  }
}

/** A mounted file system. */
export class SmallDisk {
  /** A directory on it. */
  readonly directory: string;
  readonly #mount: string;

  /** @param size in the form of mount, such as `8m` @throws Error when it cannot be mounted */
  constructor(size: string) {
    this.#mount = mkdtempSync(path.join(tmpdir(), 'broadside-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', this.#mount], { stdio: 'ignore' });
    } catch (error) {
      rmSync(this.#mount, { recursive: true });
      throw error;
    }
    this.directory = path.join(this.#mount, 'data');
    mkdirSync(this.directory, { mode: 0o700 });
  }

  /** Takes all space but `left` bytes; with nothing left, also where others write meanwhile. */
  fill(left = 0): void {
    const { bavail, bsize } = statfsSync(this.#mount);
    const block = Buffer.alloc(bsize);
    const file = openSync(this.#ballast, 'w');
    try {
      for (let rest = left === 0 ? Number.POSITIVE_INFINITY : bavail * bsize - left; rest > 0; rest -= bsize)
        writeSync(file, block, 0, Math.min(rest, bsize));
    } catch (error) {
      if (left > 0 || !(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Gives the space free that {@link fill} took. */
  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Changes the size. */
  resize(size: string): void {
    execFileSync('mount', ['-o', `remount,size=${size}`, this.#mount]);
  }

  remove(): void {
    execFileSync('umount', ['--lazy', this.#mount]);
    rmSync(this.#mount, { recursive: true, force: true });
  }

  get #ballast(): string {
    return path.join(this.#mount, 'ballast');
  }
}
