import { type Random, randomSeed } from '../world/random.ts';
import { NonceGrant } from './nonce-grant.ts';
import { SharedConnections } from './shared-connections.ts';
import { SharedNonces } from './shared-nonces.ts';
import { SharedWindows } from './shared-windows.ts';

/** Memory that the threads of a server share. */
export interface SharedMemory {
  readonly nonces: SharedNonces;
  readonly grant: NonceGrant;
  readonly windows: SharedWindows;
  readonly connections: SharedConnections;
}

/** @param threads the number of threads, the main thread included */
export function createSharedMemory(threads: number, random: Random): SharedMemory {
  // Room for about 20,000 signed requests a second with two threads, and four times as many with more; beyond that the main thread serves them.
  const levels = threads > 2 ? 6 : 5;
  return {
    nonces: SharedNonces.create(randomSeed(random), levels),
    grant: new NonceGrant(),
    windows: SharedWindows.create(),
    connections: SharedConnections.create(threads),
  };
}
