/** Counts people that several workers share by ranges. See ADR 0033. */
import { type AudienceQuery, blurredCount, SMALLEST_AUDIENCE } from '@broadside/core/resources/audience-estimate';
import { shareOf } from '../audience/blur.ts';
import { type AudienceScope, leavesOf, type MemberTree } from '../audience/members/member-tree.ts';
import type { Marks } from '../audience/members/members-of-index.ts';
import {
  type ActiveCount,
  COMMON_ACCOUNTS,
  MAX_FOLLOWERS_ASKED,
  namesIn,
  type PartCount,
} from '../audience/part-count.ts';
import { type Asking, askShared, type FindHolders } from './ask-shared.ts';

/** Candidates that are looked up at a time. */
const PAGE = 50;

interface Services {
  readonly holders: FindHolders;
  /**
   * Brings the store of members up to date, and returns the marks of audiences in it.
   * @param isAlone whether nobody but this process is asked, so that none are needed
   */
  readonly marks: (audiences: readonly string[], isAlone: boolean) => Promise<Marks>;
  /** Returns those of some ids that people have. */
  readonly existing: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The platform's key. */
  readonly key: string;
}

export class SharedCount {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Counts people, with everything that was committed before the call. @throws ElsewhereError where a range is answered for by nobody */
  count(query: AudienceQuery, scope?: AudienceScope): Promise<number> {
    const { holders, key } = this.#services;
    return askShared(holders, async (asking) => {
      const { alone, until } = asking;
      if (alone?.whole) return alone.whole.count(until, query, scope);
      const names = scope ? namesIn(query, scope) : [];
      const [marks, commons] = await Promise.all([this.#marksOf(names, asking), this.#commonsOf(query, asking)]);
      const parts = await asking.all((one, ranges) => one.count({ query, scope, ranges, marks, commons }));
      const count = parts.reduce((sum, part) => sum + part.count, 0);
      if (!scope?.blur) return count;
      return blurredCount(count, shareOf(key, [...scope.blur, ...printsOf(parts)]), SMALLEST_AUDIENCE);
    });
  }

  /** Counts the people of an audience who were active lately. */
  countActive(audience: MemberTree): Promise<ActiveCount> {
    return askShared(this.#services.holders, async (asking) => {
      const marks = await this.#marksOf(leavesOf(audience), asking);
      const parts = await asking.all((one, ranges) => one.countActive({ audience, ranges, marks }));
      const changes = parts.flatMap(({ until_s }) => until_s ?? []);
      return {
        count: parts.reduce((sum, { count }) => sum + count, 0),
        until_s: changes.length > 0 ? Math.min(...changes) : undefined,
      };
    });
  }

  async #marksOf(names: readonly { readonly audience: string }[], { alone }: Asking): Promise<Marks> {
    if (names.length === 0) return {};
    return this.#services.marks(
      [...new Set(names.map(({ audience }) => audience))],
      alone !== undefined && !alone.whole,
    );
  }

  /** Finds the accounts that followers of a user follow most, for each user whose followers similar people are asked for. */
  async #commonsOf({ all, none }: AudienceQuery, asking: Asking): Promise<ReadonlyMap<string, readonly string[]>> {
    const similar = [...all.flat(), ...none].flatMap((trait) =>
      trait.kind === 'similar_to_followers_of' ? trait.user_id : [],
    );
    const users = [...new Set(similar)];
    if (users.length === 0) return new Map();
    const counts = await asking.all((one, ranges) => one.countFollowers({ users, ranges }));
    const found = users.map(async (user, i): Promise<readonly [user: string, accounts: readonly string[]]> => {
      const followers = counts.reduce((sum, count) => sum + (count[i] ?? 0), 0);
      if (followers === 0) return [user, []];
      const share = Math.min(1, MAX_FOLLOWERS_ASKED / followers);
      const tallies = await asking.all((one, ranges) => one.tally({ user, ranges, share }));
      return [user, await this.#mostFollowed(tallies.flat())];
    });
    return new Map(await Promise.all(found));
  }

  /** Those who are followed most, on a tie those with the smaller id, who joined first. */
  async #mostFollowed(tally: readonly (readonly [id: string, count: number])[]): Promise<string[]> {
    const counts = new Map<string, number>();
    for (const [id, count] of tally) counts.set(id, (counts.get(id) ?? 0) + count);
    const candidates = [...counts].sort(([one, ones], [other, others]) => others - ones || compareIds(one, other));
    const most: string[] = [];
    for (let from = 0; from < candidates.length && most.length < COMMON_ACCOUNTS; from += PAGE) {
      const page = candidates.slice(from, from + PAGE).map(([id]) => id);
      const existing = await this.#services.existing(page);
      most.push(...page.filter((id) => existing.has(id)));
    }
    return most.slice(0, COMMON_ACCOUNTS);
  }
}

/** What identifies the members of each set, over all parts. */
function printsOf(parts: readonly PartCount[]): string[] {
  const whole = new Map<string, [number, number]>();
  for (const [set, one, other] of parts.flatMap(({ prints }) => prints)) {
    const [first, second] = whole.get(set) ?? [0, 0];
    whole.set(set, [(first ^ one) >>> 0, (second ^ other) >>> 0]);
  }
  return [...whole].flatMap(([set, [one, other]]) => [set, `${one} ${other}`]);
}

function compareIds(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}
