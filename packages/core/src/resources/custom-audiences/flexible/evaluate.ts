/**
 * The meaning of a flexible audience, over plain sets. What a server computes with other structures is tested against this.
 *
 * A leaf holds the members in effect of its audience whose number of events in the lookback window meets the frequency. An
 * event is an association of the member by an Update, at its effective_at. AND crosses the children, OR joins them. A negated
 * node is replaced by its complement among the members in effect of all audiences of the tree: under AND it is subtracted,
 * and under OR it contributes everybody else of the tree (our choice). An audience that is gone has nobody (our choice).
 */
import { type FrequencyComparator, isLeaf, leavesOf, type Segment, type SegmentLeaf } from './tree.ts';

/** A member of an audience, at the time of the evaluation. */
export interface AudienceMember<Person> {
  readonly person: Person;
  /** Times of their associations, in seconds. Those after the evaluation do not count. */
  readonly events_s: readonly number[];
}

const SECONDS_OF_A_DAY = 86_400;

/** Without a lookback window the events of so many days count: older ones are forgotten (our choice). */
export const KNOWN_EVENT_DAYS = 31;

const comparisons: Readonly<Record<FrequencyComparator, (count: number, frequency: number) => boolean>> = {
  NUM_GTE: (count, frequency) => count >= frequency,
  NUM_GT: (count, frequency) => count > frequency,
  NUM_EQ: (count, frequency) => count === frequency,
  NUM_LTE: (count, frequency) => count <= frequency,
  NUM_LT: (count, frequency) => count < frequency,
};

/** Returns whether a number of events meets the frequency of a leaf. */
export function meetsFrequency(
  count: number,
  { frequency, frequency_comparator }: Pick<SegmentLeaf, 'frequency' | 'frequency_comparator'>,
): boolean {
  return comparisons[frequency_comparator](count, frequency);
}

/** Returns whether a leaf holds every member in effect, whatever their events: it needs no look at them. */
export function takesEveryMember({ lookback_window, frequency, frequency_comparator }: SegmentLeaf): boolean {
  return lookback_window === undefined && frequency === 1 && frequency_comparator === 'NUM_GTE';
}

/** Returns whether a leaf holds a member in effect. */
export function leafHolds(leaf: SegmentLeaf, events_s: readonly number[], now_s: number): boolean {
  if (takesEveryMember(leaf)) return true;
  const { lookback_window: days = KNOWN_EVENT_DAYS } = leaf;
  const after_s = now_s - days * SECONDS_OF_A_DAY;
  return meetsFrequency(events_s.filter((at) => at > after_s && at <= now_s).length, leaf);
}

/**
 * Returns the people of a tree.
 * @param membersOf gives the members in effect of an audience; none for one that is gone
 */
export function evaluateSegments<Person>(
  tree: Segment,
  membersOf: (custom_audience_id: string) => readonly AudienceMember<Person>[],
  now_s: number,
): Set<Person> {
  const everybody = new Set(
    leavesOf(tree).flatMap(({ leaf }) => membersOf(leaf.custom_audience_id).map(({ person }) => person)),
  );
  const plain = (segment: Segment): Set<Person> => {
    if (isLeaf(segment)) {
      const held = membersOf(segment.custom_audience_id).filter(({ events_s }) => leafHolds(segment, events_s, now_s));
      return new Set(held.map(({ person }) => person));
    }
    const children = segment.child_segments.map(evaluate);
    const isHeld = (person: Person) =>
      segment.boolean_operator === 'AND'
        ? children.every((child) => child.has(person))
        : children.some((child) => child.has(person));
    return new Set([...everybody].filter(isHeld));
  };
  const evaluate = (segment: Segment): Set<Person> => {
    const held = plain(segment);
    return segment.negate ? new Set([...everybody].filter((person) => !held.has(person))) : held;
  };
  return evaluate(tree);
}
