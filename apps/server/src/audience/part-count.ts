/** Counts of a part of the people, and which sets a query is answered with. */
import type { AudienceQuery, Trait } from '@broadside/core/resources/audience-estimate';
import type { Pace } from '../pace.ts';
import { type AudienceScope, type MemberSetName, type MemberTree, setsOf } from './members/member-tree.ts';
import type { TimedSet } from './members/timed-set.ts';
import type { Ranges } from './ranges.ts';

/** Size of the sample of a user's followers that determines the accounts they have in common. */
export const MAX_FOLLOWERS_ASKED = 2000;
/** Number of accounts, those that followers of a user follow most besides that user, that represent the common interest. */
export const COMMON_ACCOUNTS = 10;

/** Nobody has members, and nobody is left out. */
export const NO_AUDIENCES: AudienceScope = { audiences: new Map(), without: [] };

/** A count of the active people of an audience. */
export interface ActiveCount {
  readonly count: number;
  /** The time in seconds at which the count may become another one by itself; `undefined` if it stays. */
  readonly until_s: number | undefined;
}

/** A part of a count: see `workers/shared-count.ts`. */
export interface PartOfCount {
  readonly ranges: Ranges;
  /** By the id of a user, the accounts that their followers follow most. */
  readonly commons: ReadonlyMap<string, readonly string[]>;
}

/** The count of a part, before it is blurred. */
export interface PartCount {
  readonly count: number;
  /** What identifies the members of each set: the XOR of those of all parts identifies the whole set. */
  readonly prints: readonly (readonly [set: string, one: number, other: number])[];
}

/** What a query is answered with. */
export interface Question {
  readonly now_ms: number;
  readonly scope: AudienceScope;
  readonly sets: ReadonlyMap<string, TimedSet>;
  readonly commons?: PartOfCount['commons'] | undefined;
  readonly pace: Pace;
}

/** Returns what the audience of a trait consists of. */
export function audienceIn({ audiences }: AudienceScope, trait: Trait): MemberTree | undefined {
  return trait.kind === 'custom_audience' ? audiences.get(trait.id) : undefined;
}

/** Returns the sets that a query is answered with. */
export function namesIn({ all, none }: AudienceQuery, scope: AudienceScope): MemberSetName[] {
  const trees = [...all.flat(), ...none].flatMap((trait) => audienceIn(scope, trait) ?? []);
  return [...trees.flatMap(setsOf), ...scope.without];
}
