/** What servers ask the workers of their platform, and how that is written down. See ADR 0033. */
import type { AudienceQuery } from '@broadside/core/resources/audience-estimate';
import type { KeywordInsights } from '@broadside/core/resources/keyword-insights';
import type { AudienceName } from '../audience/audience-names.ts';
import type { InsightsQuery } from '../audience/keyword-insights.ts';
import type { SampleAsked, VolumeAsked } from '../audience/keyword-part.ts';
import type { AudienceScope, MemberTree } from '../audience/members/member-tree.ts';
import type { Marks } from '../audience/members/members-of-index.ts';
import type { MemberBatch, MemberOperation } from '../members/member-store.ts';

/** The work on audiences that servers can have done. All of it may be repeated where its result was lost. */
export interface AudienceWork {
  /** Takes members of an audience. They are durable when it resolves, and counted later. */
  take(audience: AudienceName, batch: MemberBatch, now_s: number): Promise<void>;
  /** Counts people, with everything that was committed before the call. */
  count(query: AudienceQuery, scope?: AudienceScope): Promise<number>;
  /** Searches posts for keywords, likewise. */
  search(query: InsightsQuery): Promise<KeywordInsights>;
}

/** The names of the calls, and their parameters but for bytes. */
export interface CallHeads {
  readonly take: {
    readonly audience: AudienceName;
    readonly operations: readonly MemberOperation[];
    readonly now_s: number;
  };
  readonly count: { readonly query: AudienceQuery; readonly scope: WrittenScope | undefined };
  readonly search: InsightsQuery;
  /** Of a worker that shares people, about those of some ranges: */
  readonly part: WrittenRanges & {
    readonly marks: Marks;
    readonly query: AudienceQuery;
    readonly scope: WrittenScope | undefined;
    readonly commons: readonly (readonly [user: string, accounts: readonly string[]])[];
  };
  readonly active: WrittenRanges & { readonly marks: Marks; readonly audience: MemberTree };
  readonly followers: WrittenRanges & { readonly users: readonly string[] };
  readonly tally: WrittenRanges & { readonly user: string; readonly share: number };
  readonly volume: WrittenRanges & Omit<VolumeAsked, 'ranges'>;
  readonly sample: WrittenRanges & Omit<SampleAsked, 'ranges'>;
  /** Of the worker that keeps the audiences, by others: */
  readonly settle: { readonly audience: string };
  readonly marks: { readonly audiences: readonly string[] };
  readonly matched: WrittenRanges & { readonly audience: string };
}

/** Ranges, see `writtenRanges`. */
export interface WrittenRanges {
  readonly ranges: string;
}
export type CallName = keyof CallHeads;
/** Of a worker that shares people. */
export type PartCallName = 'part' | 'active' | 'followers' | 'tally' | 'volume' | 'sample';

/** Whatever one version of the server says differently from another needs another path. */
const PATH = '/internal/4/';
const names: readonly CallName[] = [
  ...(['take', 'count', 'search'] as const),
  ...(['part', 'active', 'followers', 'tally', 'volume', 'sample'] as const),
  ...(['settle', 'marks', 'matched'] as const),
];

/** The path of a call. */
export function pathOfCall(name: CallName): string {
  return PATH + name;
}

/** The call of a path. */
export function callOfPath(path: string | undefined): CallName | undefined {
  return names.find((name) => pathOfCall(name) === path);
}

/** The head of a call as JSON, after its length in 32 bits, little-endian; then bytes. */
export function writeCall<Name extends CallName>(head: CallHeads[Name], bytes: Uint8Array = new Uint8Array()): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, bytes]);
}

/** The parts of a call: JSON and bytes. @throws RangeError if it is cut off */
export function readCall(body: Buffer): { readonly json: string; readonly bytes: Uint8Array } {
  const end = 4 + body.readUInt32LE(0);
  if (end > body.length) throw new RangeError('the call is cut off');
  return { json: body.toString('utf8', 4, end), bytes: body.subarray(end) };
}

/** A scope, for JSON. */
export interface WrittenScope extends Omit<AudienceScope, 'audiences'> {
  readonly audiences: readonly (readonly [id: string, tree: MemberTree])[];
}

/** Writes a scope for JSON. */
export function writtenScope(scope: AudienceScope | undefined): WrittenScope | undefined {
  return scope && { ...scope, audiences: [...scope.audiences] };
}

/** Reads what {@link writtenScope} wrote. */
export function scopeOfWritten(scope: WrittenScope | undefined): AudienceScope | undefined {
  return scope && { ...scope, audiences: new Map(scope.audiences) };
}

/** Headers of calls and of answers. */
export const headers = {
  /** When the call was made, in milliseconds since the epoch. */
  time: 'x-broadside-time',
  /** The id of the call. */
  id: 'x-broadside-call',
  /** The data directory that the work is that of. */
  place: 'x-broadside-place',
  /** The hash of the body of a call. */
  body: 'x-broadside-body',
  proof: 'x-broadside-proof',
} as const;

/** What the proof of a call is about. */
export function provedOfCall(call: {
  readonly path: string;
  readonly time: string;
  readonly id: string;
  readonly place: string;
  readonly body: string;
}): string[] {
  const { path, time, id, place, body } = call;
  return [path, time, id, place, body];
}

/** What the proof of an answer is about. @param body its hash */
export function provedOfAnswer(id: string, status: number, body: string): string[] {
  return [id, `${status}`, body];
}
