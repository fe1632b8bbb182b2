/**
 * The members of audiences and of do-not-reach lists. An audience is identified by `<environment>/<id of the entity>`.
 * Times are whole seconds of the world's clock since 1970.
 */

/** One operation on members, with its times resolved. */
export interface MemberOperation {
  readonly operation_type: 'Update' | 'Delete';
  readonly effective_s: number;
  readonly expires_s: number;
  /** The caller gave no effective_at: see the retry rule of events. */
  readonly default_effective: boolean;
  /** The caller gave no expires_at. */
  readonly default_expires: boolean;
  /** Number of its users, which follow those of the operations before it. */
  readonly user_count: number;
}

/** A request: applied as a whole and in order, or not at all. */
export interface MemberBatch {
  readonly operations: readonly MemberOperation[];
  /** For each user the number of keys as 16 bits, little-endian, then the 16 bytes of each key. */
  readonly users: Uint8Array;
}

/**
 * People of the platform among the members of an audience, in columns. Person `i` has the intervals from `interval_ends[i - 1]`
 * (0 for the first) up to `interval_ends[i]`, and the events likewise. In a change, a person without intervals is no
 * longer a member.
 */
export interface MatchedMembers {
  /** Ids of users, ascending. */
  readonly user_ids: BigUint64Array;
  readonly interval_ends: Uint32Array;
  /** Disjoint intervals of a person in ascending order: in effect from `from_s`, until before `to_s`. */
  readonly from_s: Uint32Array;
  readonly to_s: Uint32Array;
  readonly event_ends: Uint32Array;
  /** Times of a person's associations, ascending; those older than 31 days may be missing. */
  readonly events_s: Uint32Array;
}

/** The matched members of an audience, in a version. */
export type VersionedMembers = MatchedMembers & { readonly version: number };

/** Identifiers of a person of the platform, normalized as before hashing. */
export interface PlatformPerson {
  readonly user_id: bigint;
  /** Kinds of identifiers by number, see `identifierKinds`, with their normalized values. None for a person who is gone. */
  readonly identifiers: readonly (readonly [kind: number, value: string])[];
}

/** Facts about the stored data of one audience. */
export interface MemberFigures {
  /** Keys in the merged data, superseded ones included. */
  readonly keys: number;
  /** Bytes of the merged data on disk. */
  readonly bytes: number;
  /** Acknowledged user records that are not merged yet. */
  readonly pending: number;
}

/** What was acknowledged and is not merged yet. */
export interface MemberBacklog {
  readonly bytes: number;
  /** Milliseconds for which something has waited without anything having been merged; 0 where nothing waits. */
  readonly lag_ms: number;
}

/** The store of members. */
export interface MemberStore {
  readonly backlog: MemberBacklog;
  /**
   * Stores a request. It is durable when the promise resolves; merging happens later. Waits while more than 256 MB are
   * unmerged. What comes after the audience was dropped is discarded.
   * @param audience `<environment>/<id of the entity>`, ids being of letters and digits
   */
  append(audience: string, batch: MemberBatch, now_s: number): Promise<void>;
  /** Resolves when everything that was acknowledged for the audience before the call is merged. */
  settle(audience: string): Promise<void>;
  /** Returns all matched people of the audience as merged, whether in effect or not, and the version of that state. */
  matched(audience: string): Promise<VersionedMembers>;
  /**
   * Calls back with the people whose membership a merge changed. The versions of an audience increase by one; a change
   * that comes after `matched` has resolved follows the version that it returned.
   * @returns a function that ends it
   */
  onChange(listener: (audience: string, changed: VersionedMembers) => void): () => void;
  /** Removes all data of an audience, logged and merged, for good. Idempotent; durable when resolved. */
  drop(audience: string): Promise<void>;
  /** Removes the data of members that have expired from disk. */
  sweep(now_s: number): Promise<void>;
  /** Adds people of the platform, or replaces their identifiers. Stored members are matched with them in the background. */
  setPeople(people: readonly PlatformPerson[]): Promise<void>;
  /** Ends the first feed of all people, before which `matched` and `settle` wait. */
  peopleLoaded(): Promise<void>;
  /** No more people come: what waits for all of them, and would do so for good, is rejected from now on. */
  endPeople(): void;
  /**
   * Calls back whenever the store begins to work, which is with its first use: the listener feeds all people by `setPeople`
   * and calls `peopleLoaded`. Without a listener there are no people.
   * @returns a function that ends it
   */
  onStart(listener: () => void): () => void;
  /** Calls back with unexpected errors of the background. @returns a function that ends it */
  onError(listener: (error: Error) => void): () => void;
  figures(audience: string): Promise<MemberFigures>;
  /** Waits for what is acknowledged to be on disk, and stops. */
  close(): Promise<void>;
}
