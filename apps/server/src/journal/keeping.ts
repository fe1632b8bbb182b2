import type { WorldServices } from '../pipeline/world-services.ts';
import { JournalFile } from './journal-file.ts';

/** Has the journal of a world go on from where it was when the world was closed. One that is kept no more is removed. */
export function keepingJournal<Services extends WorldServices>(services: Services): Services {
  const { world, journal } = services;
  const file = new JournalFile(world.dataDirectory, world.secrets);
  if (journal === undefined) {
    file.take();
    return services;
  }
  journal.keepIn(file);
  world.beforeClose(() => journal.keep());
  return services;
}
