/** What a world in process and a world of a server have in common, so that a test of one is a test of the other. */
import type { Client, ClientOptions } from '@broadside/client';
import type { ControlContract, InputOf, OutcomeOf } from '@broadside/core';
import type { Happening } from '@broadside/core/resources/control/clock';
import type { JournalCall } from '@broadside/core/resources/control/journal';
import type { Credentials } from '@broadside/server';
import type { WorldControl } from './connect/call-control.ts';
import type { Urls } from './open-world.ts';
import type { ExpectedCall } from './unmet-expectations.ts';

type Operations = ControlContract['control'];

/** How far to advance: one of the three. */
export type Advance =
  /** An ISO 8601 duration, such as `P90D` or `PT36H`. */
  | { readonly by: string; readonly to?: never; readonly next?: never }
  /** A time, such as `2026-03-01T00:00:00Z`. */
  | { readonly to: string; readonly by?: never; readonly next?: never }
  | { readonly next: true; readonly by?: never; readonly to?: never };

/** What came of an advance. */
export interface Advanced {
  /** The world's time, in milliseconds since the epoch. */
  readonly now: number;
  /** What happened, in order: the first 1,000 of it. */
  readonly happened: readonly Happening[];
  readonly total: number;
  /** False where more work was due than one advance does. */
  readonly complete: boolean;
}

/** A snapshot that was taken of a world. */
export type TakenSnapshot = Pick<OutcomeOf<Operations['snapshots']['create']>, 'id' | 'name'>;

/** A snapshot of a world, or its id. */
export type SnapshotOrId = string | Pick<TakenSnapshot, 'id'>;

/** Name and time to live of a fork, neither of which a world in process needs. */
export type ForkOptions = Omit<InputOf<Operations['worlds']['fork']>, 'world_id'>;

/**
 * A world that a test controls: one in process, as `createWorld()` makes it, or one of a server, as `connect().worlds.create()` does.
 * @example
 * async function triesAgain(world: ControlledWorld) {
 *   await world.faults.create({ match: { operation: ['accounts.list'] }, effect: { status: 503, retry_after: 1 }, times: 1 });
 *   await world.client({ retry: {} }).accounts.list();
 *   await world.verify([{ operation: 'accounts.list', times: 2 }]);
 * }
 */
export interface ControlledWorld
  extends Pick<WorldControl, 'clock' | 'faults' | 'journal' | 'actions'>,
    AsyncDisposable {
  /** The members of `credentials.json`. */
  readonly credentials: Credentials;
  /** The base URLs of the listeners. */
  readonly urls: Urls;
  /** A `fetch` that reaches them; it signs nothing. */
  readonly fetch: typeof globalThis.fetch;
  /** Creates a typed client of the world's user, for the sandbox unless specified otherwise. It does not retry rejected requests. */
  client(options?: ClientOptions): Client;
  /** Advances the world's time: everything due on the way happens in order, each at its own time. */
  advance(request: Advance): Promise<Advanced>;
  /** The last calls of the world, the earliest first. */
  calls(): Promise<JournalCall[]>;
  /** @throws UnmetExpectationsError where the calls of the world are not those that a test expects of its client */
  verify(expectations: readonly ExpectedCall[]): Promise<void>;
  /** Creates another world that begins as this one is now, and goes its own way. */
  fork(options?: ForkOptions): Promise<ControlledWorld>;
  /** Takes a snapshot, which is there as long as the world. */
  snapshot(name?: string): Promise<TakenSnapshot>;
  /** Puts the world back to one of its snapshots. */
  restore(snapshot: SnapshotOrId): Promise<void>;
  /** Puts the world back to how it began, or to one of its snapshots. */
  reset(snapshot?: SnapshotOrId): Promise<void>;
  /** The world as one file, with its credentials, keys and media, in memory: `broadside world export` is for large ones. */
  export(): Promise<Uint8Array>;
  /** Removes the world. */
  close(): Promise<void>;
}
