/** Worlds as a reader thread sees them: the main thread alone has those other than the default one. */
import type { Entered, WorldFinder } from '../pipeline/choose-world.ts';
import { MainThreadError } from './main-thread-error.ts';

/** The beginning of credentials that can be of another world than the default one. Few others have it, and those take a detour. */
const OF_A_WORLD = /^w[a-z0-9]{7}/;

/**
 * Has calls that can belong to another world passed on, and those that come while the default world is left.
 * @param here the default world
 */
export const elsewhere = <Services>(here: () => Entered<Services>): WorldFinder<Services> => ({
  get here() {
    return here();
  },
  worldOf: (credential) => (credential === undefined ? undefined : OF_A_WORLD.exec(credential)?.[0]),
  use: () => Promise.reject(new MainThreadError('only the main thread has other worlds than the default one')),
});
