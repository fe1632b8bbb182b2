/** The number of threads that serve requests. */
import { availableParallelism } from 'node:os';

/** Threads that are started where nothing is set. More take memory, and few machines have the writes and reads for them. */
const DEFAULT_MOST = 4;

/** Why this process can only have one thread; `undefined` where it can have more. */
export function singleThreadReason(
  platform: NodeJS.Platform = process.platform,
  version: string = process.versions.node,
): string | undefined {
  if (platform !== 'linux') return 'several threads on one port need Linux';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const hasReusePort = major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12);
  return hasReusePort ? undefined : 'several threads on one port need Node 22.12, 23.1 or newer';
}

/**
 * The number of threads.
 * @param set the number that was set, if one was
 * @param reason why there can be only one
 */
export function threadCount(set: number | undefined, reason: string | undefined): number {
  if (reason !== undefined) return 1;
  return set ?? Math.min(availableParallelism(), DEFAULT_MOST);
}
