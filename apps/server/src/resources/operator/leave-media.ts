/** What becomes of media in advertising accounts when they are deleted with their owner. */
import type { Actor } from '../../db/change-log.ts';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { listAccountMedia } from '../account-media/find.ts';
import { deleteFromLibrary, libraryMedia, listHeld } from '../media-library/find.ts';

/**
 * Takes media out of the libraries of all accounts. May be repeated.
 * @returns the media that something of an account may still show: that has been in its library, also where it was removed later, or is among
 * its account media
 */
export async function leaveMedia(world: World, actor: Actor, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  for (const environment of environments) {
    const ads = world.ads[environment];
    for (const { database } of ads.stores) {
      for (const { media_key } of await listAccountMedia.all(database, { keys })) shown.add(media_key);
      for (const { account_id, id, deleted } of await listHeld.all(database, { keys })) {
        shown.add(id);
        if (deleted) continue;
        await ads.account(account_id).write(actor, async (writer) => {
          const row = await writer.of(libraryMedia).get(id);
          if (row && !row.deleted) await deleteFromLibrary(writer, row);
        });
      }
    }
  }
  return shown;
}
