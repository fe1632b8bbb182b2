/** State that several servers of one platform share: what has to be counted, used up or outdated once over all of them. */
import type { NonceOwner } from '../auth/nonce-digest.ts';
import type { Throttle } from '../auth/sign-in-throttle.ts';
import type { CommitGuard } from '../db/commit-guard.ts';
import type { Database } from '../db/database.ts';
import type { Replicas } from '../db/replicas.ts';
import type { Environment } from '../world/environment.ts';

/**
 * The shared state cannot be reached, or cannot say what was asked. What depends on it is not done, and may be tried again. The
 * message is one sentence that can be shown to an operator.
 */
export class SharedStateError extends Error {
  override readonly name = 'SharedStateError';
  /** What a client may know of it. */
  readonly said: string;

  constructor(
    message: string,
    { cause, said = UNAVAILABLE }: { readonly cause?: unknown; readonly said?: string } = {},
  ) {
    super(message, { cause });
    this.said = said;
  }
}

const UNAVAILABLE = 'Requests cannot be verified and counted at the moment; try again later';

/** What is remembered of stores until it is outdated. */
export const subjects = ['identities', 'production', 'sandbox'] as const;
/** Identities of a platform; accounts of an environment, and who may use them. */
export type Subject = (typeof subjects)[number];

/** A window of a limit, which begins with the first count. */
export interface WindowOf {
  readonly key: string;
  readonly window_ms: number;
}

/** A window after a request was counted in it. */
export interface CountedWindow {
  readonly count: number;
  /** When it ends, in milliseconds since the epoch. */
  readonly reset_ms: number;
  /** The time at which it was counted. Of the same clock as `reset_ms`. */
  readonly now_ms: number;
}

/** Counting of a request in the step that uses its nonce up. */
export interface CountWith {
  readonly windows: readonly WindowOf[];
  /** What the windows follow from, beside the identity: something that the server remembers. */
  readonly subject: Subject;
  /**
   * Called with the windows, before the use resolves, if they were counted: the nonce was new, and what is remembered was current. If it
   * is not called, nothing was counted.
   */
  readonly counted: (windows: readonly CountedWindow[]) => void;
}

/** Counts requests over all servers. */
export interface SharedCounts {
  /** Counts a request in each window. @throws SharedStateError */
  count(windows: readonly WindowOf[]): Promise<CountedWindow[]>;
}

/** Messages to the other servers. One that is away misses them, and is told so when it is back. */
export interface Messages {
  /** Tells the other servers. Does not wait, and may be lost with the connection. */
  send(topic: string, text?: string): void;
  /** Calls back with the messages of the others. */
  on(topic: string, listener: (text: string) => void): void;
  /** Calls back when messages may have been missed. */
  onGap(listener: () => void): void;
}

/** The platform that state is shared of. */
export interface SharedPlatform {
  /** The id of the platform, as its stores have it. */
  readonly id: string;
  readonly databases: Readonly<Record<Environment | 'platform', Database>>;
  /** The clock by which timestamps are judged, in seconds. */
  readonly nowSeconds: () => number;
}

/** Opens what a platform shares. @throws SharedStateError */
export type OpenShared = (platform: SharedPlatform) => Promise<SharedState>;

/** What servers know of commits to stores with replicas. */
export interface SharedMarks {
  /**
   * Has all servers know of a commit, to be called before it is acknowledged.
   * @param store such as `production`, or `production/east` for a shard
   * @throws SharedStateError; it is tried again until it is done
   */
  announce(store: string, scopes: ReadonlySet<string>, mark: number): Promise<void>;
  /** Has replicas follow what is announced: as of the latest trip. */
  follow(store: string, replicas: Replicas): void;
}

/** What the servers of one platform share. */
export interface SharedState extends SharedCounts {
  /**
   * Uses up a nonce, once over all servers. Whatever is remembered of stores is as current as the platform when it resolves.
   * @param count counts the request in the same step, where that can be decided by what is remembered
   * @returns false when it was used before
   * @throws SharedStateError also when that is not known, because the shared state has lost its memory
   */
  useNonce(owner: NonceOwner, timestamp: number, nonce: string, count?: CountWith): Promise<boolean>;
  /** Drops what is remembered of stores and is outdated, for requests without a nonce. @throws SharedStateError */
  freshen(): Promise<void>;
  /** Has servers forget what commits of a store outdate, before these are acknowledged. */
  readonly guard: (subject: Subject) => CommitGuard;
  readonly throttle: Throttle;
  readonly marks: SharedMarks;
  readonly messages: Messages;
  /** Ends the work for this platform. */
  close(): Promise<void>;
}
