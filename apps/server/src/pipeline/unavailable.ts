/** Failures of stores and of what servers share, as errors of the catalogue. */
import { ApiError, errorStatus } from '@broadside/core';
import { storageFailure } from '../db/storage-failure.ts';
import { BlobStoreAwayError } from '../media/blobs/blob-store.ts';
import { ElsewhereError, LeaseEndedError } from '../servers/errors.ts';
import { SharedStateError } from '../shared/shared-state.ts';
import { MoveStoppedError } from '../world/shards/account-moves.ts';
import { AccountMovingError } from '../world/shards/routed-database.ts';
import { ShardAwayError } from '../world/shards/shard-away.ts';

/** When a client that was rejected for want of room or of a disk may try again, in seconds: our choice. */
export const RETRY_AFTER_SECONDS = 5;

/** When a client may try again whose account was being moved, in seconds. */
const AFTER_MOVE_SECONDS = 1;

/** The value of `retry-after` that goes with a status, if one does. */
export function retryAfter(status: number): string | undefined {
  if (status === errorStatus('SERVICE_UNAVAILABLE')) return `${RETRY_AFTER_SECONDS}`;
  return status === errorStatus('LOCK_ACQUISITION_TIMEOUT') ? `${AFTER_MOVE_SECONDS}` : undefined;
}

/**
 * The error to answer with: LOCK_ACQUISITION_TIMEOUT while an account is moved, SERVICE_UNAVAILABLE where a store failed, this server may not write at the moment, or what servers share is away, so
 * that the request may be sent again; every other error as it is.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const message = messageOf(error);
  if (message === undefined) return error;
  const name = error instanceof AccountMovingError ? 'LOCK_ACQUISITION_TIMEOUT' : 'SERVICE_UNAVAILABLE';
  const unavailable = new ApiError({ error: name, message });
  unavailable.cause = error;
  return unavailable;
}

/** Why something is unavailable, in a sentence for the operator; `undefined` for an error that {@link asUnavailable} has not made. */
export function causeOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || !(error.cause instanceof Error)) return undefined;
  const { cause } = error;
  const said = messageOf(cause);
  return said === OF_STORE ? (storageFailure(cause) ?? cause.message) : said && cause.message;
}

const OF_STORE = 'The data cannot be stored or read at the moment, and nothing was changed; try again later';

/** What to tell a client; `undefined` where the error is of another kind. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof SharedStateError) return error.said;
  if (error instanceof ElsewhereError || error instanceof AccountMovingError || error instanceof MoveStoppedError)
    return error.message;
  if (error instanceof ShardAwayError) return error.message;
  if (error instanceof LeaseEndedError || error instanceof BlobStoreAwayError) return OF_STORE;
  return storageFailure(error) !== undefined ? OF_STORE : undefined;
}
