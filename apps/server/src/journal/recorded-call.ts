import type { LoggedChange } from '../db/change-log.ts';
import type { Call } from '../pipeline/call.ts';
import type { RecordedCall, Recording } from './records.ts';

/** What is known of a call when it ends. */
interface Ended extends Pick<RecordedCall, 'caller' | 'account_id' | 'limits'> {
  readonly outcome: { readonly ok: true } | { readonly ok: false; readonly error: unknown };
}

const NOTHING: readonly LoggedChange[] = [];

/** Takes from a call what its journal keeps. */
export function recordedCall(
  journal: Recording,
  { operation, environment, params, items, json, bytes, credentials }: Call,
  { caller, account_id, limits, outcome }: Ended,
  world_ms: number,
  changes: readonly LoggedChange[] = NOTHING,
): RecordedCall {
  const { request, received } = credentials;
  return {
    journal,
    operation,
    environment,
    world_ms,
    params,
    items,
    left_out_bytes: (json?.length ?? 0) + (bytes?.blob.size ?? 0),
    body: received.body,
    base_url: credentials.baseUrl,
    consumer_key: request.oauth?.consumerKey,
    caller,
    account_id,
    limits,
    error: outcome.ok ? undefined : outcome,
    // What a call that failed had written was undone.
    changes: outcome.ok ? changes : NOTHING,
    changes_left_out: 0,
  };
}
