/** What a process that shares the people of a platform answers about those of some ranges. See ADR 0033. */
import type { AudienceQuery } from '@broadside/core/resources/audience-estimate';
import type { Database } from '../db/database.ts';
import type { Clock } from '../world/clock.ts';
import type { AudienceStore, Built } from './audience-store.ts';
import {
  KeywordPart,
  type KeywordSample,
  type KeywordVolume,
  type SampleAsked,
  type VolumeAsked,
} from './keyword-part.ts';
import type { AudienceScope, MemberTree } from './members/member-tree.ts';
import type { Marks } from './members/members-of-index.ts';
import { type ActiveCount, NO_AUDIENCES, type PartCount } from './part-count.ts';
import type { Ranges } from './ranges.ts';

/** What questions about ranges have in common. */
interface OfRanges {
  readonly ranges: Ranges;
}

/** And what those have that members matter to. */
interface OfMembers extends OfRanges {
  /** The states that audiences have at least to be in. */
  readonly marks: Marks;
}

/** A part of a count. */
interface CountAsked extends OfMembers {
  readonly query: AudienceQuery;
  readonly scope: AudienceScope | undefined;
  /** See {@link PartOfCount}. */
  readonly commons: ReadonlyMap<string, readonly string[]>;
}

/** A part of a count of the active people of an audience. */
interface ActiveAsked extends OfMembers {
  readonly audience: MemberTree;
}

/** Followers of users. */
interface FollowersAsked extends OfRanges {
  readonly users: readonly string[];
}

/** Whom a share of the followers of a user follow. */
interface TallyAsked extends OfRanges {
  readonly user: string;
  /** 1 for all of them. */
  readonly share: number;
}

/**
 * Answers about the people of some ranges. Those about ranges that have nobody in common add up.
 * All of them reject with {@link OtherRangesError} where they have not got the ranges.
 */
export interface PartWork {
  count(asked: CountAsked): Promise<PartCount>;
  countActive(asked: ActiveAsked): Promise<ActiveCount>;
  /** The number of followers of each user. */
  countFollowers(asked: FollowersAsked): Promise<readonly number[]>;
  /** How many follow whom, in any order. */
  tally(asked: TallyAsked): Promise<readonly (readonly [id: string, count: number])[]>;
  /** The number of posts with some keywords, by time. */
  volume(asked: VolumeAsked): Promise<KeywordVolume>;
  /** Posts with the keywords, and others to compare them with. */
  sample(asked: SampleAsked): Promise<KeywordSample>;
}

interface Services {
  readonly audience: Pick<AudienceStore, 'prepareFor'>;
  readonly clock: Clock;
  readonly database: Database;
}

/** The answers of the index of this process. */
export class IndexPart implements PartWork {
  readonly #services: Services;
  readonly #keywords: KeywordPart;

  constructor(services: Services) {
    this.#services = services;
    this.#keywords = new KeywordPart(services);
  }

  async count({ query, scope, ranges, marks, commons }: CountAsked): Promise<PartCount> {
    const { index } = await this.#reach(ranges, marks);
    return index.countPart(query, this.#services.clock.now(), scope ?? NO_AUDIENCES, { ranges, commons });
  }

  async countActive({ audience, ranges, marks }: ActiveAsked): Promise<ActiveCount> {
    const { index } = await this.#reach(ranges, marks);
    return index.countActive(audience, this.#services.clock.now(), ranges);
  }

  async countFollowers({ users, ranges }: FollowersAsked): Promise<number[]> {
    const { index } = await this.#services.audience.prepareFor(ranges);
    return users.map((user) => index.countFollowers(user, ranges));
  }

  async tally({ user, ranges, share }: TallyAsked): Promise<[string, number][]> {
    const { index } = await this.#services.audience.prepareFor(ranges);
    return index.tallyFollowed(user, ranges, share);
  }

  volume(asked: VolumeAsked): Promise<KeywordVolume> {
    return this.#keywords.volume(asked);
  }

  sample(asked: SampleAsked): Promise<KeywordSample> {
    return this.#keywords.sample(asked);
  }

  async #reach(ranges: Ranges, marks: Marks): Promise<Built> {
    const built = await this.#services.audience.prepareFor(ranges);
    for (const outdated of built.members?.outdated?.(marks) ?? []) built.index.dropMembers(outdated);
    return built;
  }
}
