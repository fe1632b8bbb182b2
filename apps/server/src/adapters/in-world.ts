/** Runs what is no call, such as a page or the bytes of media, in the world that its address or a credential names. */
import type { IncomingHttpHeaders } from 'node:http';
import { WORLD_HEADER } from '../pipeline/choose-world.ts';
import type { Services } from '../pipeline/services.ts';
import { DEFAULT_ID } from '../worlds/host-options.ts';

/**
 * Runs a work in a world.
 * @param credential by which the world is found, where the address names none
 * @param inNone the work where the world has been deleted
 */
export async function inWorld<T>(
  services: Services,
  headers: IncomingHttpHeaders,
  credential: string | undefined,
  work: (services: Services) => T | Promise<T>,
  inNone: () => T,
): Promise<T> {
  const { worlds } = services;
  const named = headers[WORLD_HEADER];
  const id = typeof named === 'string' ? named : worlds?.worldOf(credential);
  if (worlds === undefined) return work(services);
  if (id === undefined && worlds.here === undefined) return work(services);
  const done = await worlds.use(id ?? DEFAULT_ID, async (own) => ({ value: await work(own) }));
  return done ? done.value : inNone();
}
