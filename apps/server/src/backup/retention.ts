/** How many backups a place keeps. */
import { readManifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';

/**
 * Removes backups but for the latest ones, and then the media that none of these refers to.
 * @param count of those that stay, at least 1
 * @returns the ids of those that were removed
 * @throws BackupError where a manifest that stays cannot be read: then no medium is removed
 */
export async function keepLatest(place: BackupPlace, count: number): Promise<string[]> {
  const ids = await place.list();
  const removed = ids.slice(0, Math.max(0, ids.length - count));
  for (const id of removed) await place.remove(id);
  if (removed.length === 0) return removed;
  const used = new Set<string>();
  for (const id of ids.slice(removed.length)) {
    const { worlds } = readManifest((await place.manifest(id)) ?? '', id);
    for (const world of worlds) for (const { sha256 } of world.media) used.add(sha256);
  }
  for await (const sha256 of place.listMedia()) if (!used.has(sha256)) await place.removeMedium(sha256);
  return removed;
}
