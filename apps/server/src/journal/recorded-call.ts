import type { AnyOperation } from '@broadside/core';
import type { LoggedChange } from '../db/change-log.ts';
import type { Call } from '../pipeline/call.ts';
import type { SecretBox } from '../world/secrets.ts';
import type { RecordedCall, Recording } from './records.ts';

/** What is known of a call when it ends. */
interface Ended extends Pick<RecordedCall, 'caller' | 'account_id' | 'limits'> {
  readonly outcome: { readonly ok: true } | { readonly ok: false; readonly error: unknown };
  /** Those of the world. */
  readonly secrets: SecretBox;
}

const NOTHING: readonly LoggedChange[] = [];

/** Takes from a call what its journal keeps. */
export function recordedCall(
  journal: Recording,
  { operation, environment, params, items, json, bytes, credentials }: Call,
  { caller, account_id, limits, outcome, secrets }: Ended,
  world_ms: number,
  changes: readonly LoggedChange[] = NOTHING,
): RecordedCall {
  const { request, received } = credentials;
  const ofPeople = isOfPeople(operation);
  // Where its signature covers it, it is there as text too.
  const people = ofPeople ? (json ?? received.body) : undefined;
  const body = ofPeople ? undefined : received.body;
  const long = body !== undefined && body.length > journal.limits.body ? body : undefined;
  const leftOut = people ?? long;
  return {
    journal,
    operation,
    environment,
    world_ms,
    params,
    items,
    left_out_bytes: (people === undefined ? 0 : Buffer.byteLength(people)) + (bytes?.blob.size ?? 0),
    left_out_digest: leftOut === undefined ? undefined : secrets.digest(samplesOf(leftOut)),
    body,
    base_url: credentials.baseUrl,
    consumer_key: request.oauth?.consumerKey,
    token_user_id: caller === undefined ? userOfToken(request.oauth?.token) : undefined,
    caller,
    account_id,
    limits,
    error: outcome.ok ? undefined : outcome,
    // What a call that failed had written was undone.
    changes: outcome.ok ? changes : NOTHING,
    changes_left_out: 0,
  };
}

/** Access tokens begin with the id of their user, which is no secret. */
function userOfToken(token: string | undefined): string | undefined {
  return /^(\d{1,20})-/.exec(token ?? '')?.[1];
}

/** Returns whether the items of a batch are people. They are not kept, since they are identifiers. */
export function isOfPeople({ batch }: AnyOperation): boolean {
  return batch !== undefined && 'users' in batch && batch.users !== undefined;
}

const SAMPLES = 64;
const SAMPLE = 1024;

/**
 * What is digested: all, or of much, samples from all over it, since others wait meanwhile. Two lists of people that have them all in common
 * are the same to us.
 */
function* samplesOf(sent: string | Uint8Array): Generator<string | Uint8Array> {
  if (sent.length <= SAMPLES * SAMPLE) {
    yield sent;
    return;
  }
  const last = sent.length - SAMPLE;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const from = Math.floor((last * sample) / (SAMPLES - 1));
    yield typeof sent === 'string' ? sent.slice(from, from + SAMPLE) : sent.subarray(from, from + SAMPLE);
  }
}
