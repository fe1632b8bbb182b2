/** Members of audiences who are in some ranges of people. */
import type { MatchedMembers } from '../../members/member-store.ts';
import { ALL_RANGES, type Ranges, rangeFlags, rangeOfHalves } from '../ranges.ts';
import type { MembersOfIndex } from './members-of-index.ts';

/** A source of those members of another one. */
export function membersIn(members: MembersOfIndex, ranges: Ranges): MembersOfIndex {
  if (members.in) return members.in(ranges);
  if (ranges === ALL_RANGES) return members;
  return {
    sync: () => members.sync(),
    matched: async (audience) => columnsIn(await members.matched(audience), ranges),
    onChange: (listener) => members.onChange((audience, changed) => listener(audience, columnsIn(changed, ranges))),
    onStart: (listener) => members.onStart(listener),
  };
}

/** The columns of the people in some ranges. */
export function columnsIn<Columns extends MatchedMembers>(columns: Columns, ranges: Ranges): Columns {
  const flags = rangeFlags(ranges);
  const { user_ids, interval_ends, from_s, to_s, event_ends, events_s } = columns;
  const halves = new Uint32Array(user_ids.buffer, user_ids.byteOffset, user_ids.length * 2);
  const kept: number[] = [];
  for (let i = 0; i < user_ids.length; i++) {
    if (flags[rangeOfHalves(halves[i * 2] ?? 0, halves[i * 2 + 1] ?? 0)] === 1) kept.push(i);
  }
  const intervals = partsOf(kept, interval_ends);
  const events = partsOf(kept, event_ends);
  return {
    ...columns,
    user_ids: BigUint64Array.from(kept, (i) => user_ids[i] ?? 0n),
    interval_ends: intervals.ends,
    from_s: Uint32Array.from(intervals.places, (i) => from_s[i] ?? 0),
    to_s: Uint32Array.from(intervals.places, (i) => to_s[i] ?? 0),
    event_ends: events.ends,
    events_s: Uint32Array.from(events.places, (i) => events_s[i] ?? 0),
  };
}

/** The places of what some people have, and where that of each of them ends among these. */
function partsOf(people: readonly number[], ends: Uint32Array): { places: number[]; ends: Uint32Array } {
  const places: number[] = [];
  const newEnds = new Uint32Array(people.length);
  for (const [i, person] of people.entries()) {
    for (let at = person === 0 ? 0 : (ends[person - 1] ?? 0); at < (ends[person] ?? 0); at++) places.push(at);
    newEnds[i] = places.length;
  }
  return { places, ends: newEnds };
}
