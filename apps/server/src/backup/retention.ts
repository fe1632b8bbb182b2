/** How many backups a place keeps. */
import { readManifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';

/**
 * Removes backups but for the one that was just made and the latest others, and then the media that none of these refers to.
 * @param count of those that stay, at least 1
 * @param made the id of the one that was just made
 * @returns the ids of those that were removed
 * @throws BackupError where a manifest that stays cannot be read: then no medium is removed
 */
export async function keepLatest(place: BackupPlace, count: number, made: string): Promise<string[]> {
  const ids = await place.list();
  const others = ids.filter((id) => id !== made);
  const removed = others.slice(0, Math.max(0, others.length - (count - 1)));
  for (const id of removed) await place.remove(id);
  if (removed.length === 0) return removed;
  const used = new Set<string>();
  for (const id of [...others.slice(removed.length), made]) {
    const { worlds } = readManifest((await place.manifest(id)) ?? '', id);
    for (const world of worlds) for (const { sha256 } of world.media) used.add(sha256);
  }
  for await (const sha256 of place.listMedia()) if (!used.has(sha256)) await place.removeMedium(sha256);
  return removed;
}
