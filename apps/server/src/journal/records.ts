/** What a journal keeps: references only, which are put into words when somebody asks. */
import type { AnyOperation } from '@broadside/core';
import type { LoggedChange } from '../db/change-log.ts';
import type { Call } from '../pipeline/call.ts';
import type { Caller } from '../pipeline/caller.ts';
import type { LimitStates } from '../pipeline/rate-limiter.ts';
import type { Clock, WallClock } from '../world/clock.ts';
import type { Environment } from '../world/environment.ts';

/** What a journal keeps, at most. */
export interface JournalLimits {
  /** Requests; 0 keeps none. */
  readonly calls: number;
  /** Bytes of all that is kept of them, about. */
  readonly bytes: number;
  /** Characters of one body, of a request or an answer. */
  readonly body: number;
}

/** The limits of a journal of which nothing else was said: our choice. */
export const usualJournal: JournalLimits = { calls: 1000, bytes: 4_000_000, body: 8192 };

/** An HTTP request that was answered, with the calls that it carried. */
export interface Answered {
  /** The id that its answer has in `x-request-id`. */
  readonly id: string;
  readonly listener: string;
  /** The address under which the client reached it. */
  readonly base_url: string;
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly content_type: string | undefined;
  readonly user_agent: string | undefined;
  /** The id that its client gave it. */
  readonly client_request: string | undefined;
  /** Wall time at which it was answered, in milliseconds since the epoch. */
  readonly answered_ms: number;
  /** The same in elapsed time of the machine, which is the same for all threads, orders their calls, and is held by no test. */
  readonly elapsed_ms: number;
  readonly duration_ms: number;
  readonly status: number;
  /** Names in lower case, each followed by its value. */
  readonly headers: readonly string[];
  /** The length of the whole body of the answer, in characters or bytes as it was made. */
  readonly body_size: number;
  /** What became of the answer: `pending` until the connection has taken it, or has ended before. */
  delivery: 'pending' | 'sent' | 'lost';
  /** A fault reset the connection before the answer. */
  readonly dropped: boolean;
  /** Its place among those of which that is known; given by the journal. */
  told: number | undefined;
  /** Ids of the rules of faults that fired. */
  readonly fired: readonly string[];
  /** One for each call; none where the request was for no operation. */
  readonly calls: readonly RecordedCall[];
  /** The time of the world where there is no call. */
  readonly world_ms: number;
}

/** The same with the body of the answer, or its beginning. */
export interface RecordedRequest extends Answered {
  readonly body: string | undefined;
}

/** A call that was answered. Nothing here is a secret but what `params`, `items` and `body` have in members that are named so. */
export interface RecordedCall {
  /** The journal of the world that it was for. */
  readonly journal: Recording;
  readonly operation: AnyOperation;
  readonly environment: Environment;
  /** The time of the world when the call began, in milliseconds since the epoch. */
  readonly world_ms: number;
  readonly params: Call['params'];
  readonly items: unknown;
  /** Bytes that were sent and are not kept: of a batch of users, and of media. */
  readonly left_out_bytes: number;
  /** A digest of those of a batch of users, and of a body that is longer than what is kept. */
  readonly left_out_digest: string | undefined;
  /** The body of the request, where it is text. */
  readonly body: string | undefined;
  /** The address under which the client reached the listener. */
  readonly base_url: string;
  /** The key of the app that signed, whether or not it was right; none for other credentials. */
  readonly consumer_key: string | undefined;
  /** The user whom the token of a signature names, where the caller was not proved. */
  readonly token_user_id: string | undefined;
  readonly caller: Caller | undefined;
  readonly account_id: string | undefined;
  readonly limits: LimitStates | undefined;
  /** Why it was rejected. */
  readonly error: { readonly error: unknown } | undefined;
  /** What it wrote, where that was kept. */
  readonly changes: readonly LoggedChange[];
  /** The number of those that were not kept. */
  readonly changes_left_out: number;
}

/** A journal, as those see it who write into it. */
export interface Recording {
  readonly limits: JournalLimits;
  /** That of the world. */
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Keeps a request that was answered. @param body of the answer, or its beginning */
  record(request: Answered, body: string | undefined): void;
  /** Notes that it is known what became of the answer. */
  settled(request: Answered): void;
}
