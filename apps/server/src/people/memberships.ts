/** Which audiences have a person of the platform among their members. */
import type { MemberStore } from '../members/member-store.ts';

/** A time in which a person is a member, in seconds since 1970: from one on, until before the other. */
interface MemberInterval {
  readonly from_s: number;
  readonly to_s: number;
}

export class Memberships {
  readonly #members: Pick<MemberStore, 'matched' | 'settle'>;

  constructor(members: Pick<MemberStore, 'matched' | 'settle'>) {
    this.#members = members;
  }

  /**
   * Returns when a person is a member of an audience, by the identifiers that the platform knows; nothing for somebody who is none.
   * @param audience `<environment>/<id of the entity>`
   * @throws ElsewhereError where another server keeps members
   */
  async of(audience: string, user_id: bigint): Promise<readonly MemberInterval[]> {
    await this.#members.settle(audience);
    const { user_ids, interval_ends, from_s, to_s } = await this.#members.matched(audience);
    const at = positionOf(user_ids, user_id);
    if (at === undefined) return [];
    const intervals: MemberInterval[] = [];
    for (let i = interval_ends[at - 1] ?? 0; i < (interval_ends[at] ?? 0); i++) {
      intervals.push({ from_s: from_s[i] ?? 0, to_s: to_s[i] ?? 0 });
    }
    return intervals;
  }
}

function positionOf(ids: BigUint64Array, id: bigint): number | undefined {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0n) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : undefined;
}
