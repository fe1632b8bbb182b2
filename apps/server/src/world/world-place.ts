import type { NonceRegistry } from '../auth/nonces.ts';
import type { DataLock } from '../db/data-lock.ts';

/** What belongs to a data directory rather than to the world in it: whoever replaces the world holds it meanwhile. */
export interface WorldPlace {
  readonly lock: DataLock;
  /** The nonces that were used up stay so. */
  readonly nonces: NonceRegistry;
}
