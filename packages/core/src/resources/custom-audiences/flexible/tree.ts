/** Flexible audiences: trees that combine the members of other audiences (specification B, batch of custom audiences). */

/** The operators that combine the children of a group. */
export const booleanOperators = ['AND', 'OR'] as const;
export type BooleanOperator = (typeof booleanOperators)[number];

/** The operators by which the number of events of a member is compared with the frequency of a leaf. */
export const frequencyComparators = ['NUM_GTE', 'NUM_GT', 'NUM_EQ', 'NUM_LTE', 'NUM_LT'] as const;
export type FrequencyComparator = (typeof frequencyComparators)[number];

/** Lengths of lookback windows in days. */
export const lookbackWindows = [1, 7, 14, 30] as const;

/** The largest number of leaves of a tree (specification B). */
export const MAX_LEAVES = 10;

/** The largest number of levels of groups (our choice): a tree of the most leaves whose groups all have two children needs no more. */
export const MAX_LEVELS = 10;

interface Terms {
  /** The number of events to compare with; 1 on groups. */
  readonly frequency: number;
  /** NUM_GTE on groups. */
  readonly frequency_comparator: FrequencyComparator;
  /** Takes the complement among the members of all audiences of the tree. */
  readonly negate: boolean;
}

/** A leaf of a tree: members of one audience. */
export interface SegmentLeaf extends Terms {
  readonly custom_audience_id: string;
  /** In days. Without it all events that are known count. */
  readonly lookback_window?: number;
  readonly child_segments: readonly [];
}

/** An inner node of a tree. */
export interface SegmentGroup extends Terms {
  readonly boolean_operator: BooleanOperator;
  /** At least one. */
  readonly child_segments: readonly Segment[];
}

/** A node of a tree, with defaults filled in. */
export type Segment = SegmentLeaf | SegmentGroup;

/** Returns whether a node is a leaf. */
export function isLeaf(segment: Segment): segment is SegmentLeaf {
  return 'custom_audience_id' in segment;
}

/** A leaf and its place in the tree. */
export interface PlacedLeaf {
  readonly leaf: SegmentLeaf;
  readonly place: readonly (string | number)[];
}

/** Returns the leaves of a tree from left to right. */
export function leavesOf(segment: Segment, place: PlacedLeaf['place'] = []): readonly PlacedLeaf[] {
  if (isLeaf(segment)) return [{ leaf: segment, place }];
  return segment.child_segments.flatMap((child, index) => leavesOf(child, [...place, 'child_segments', index]));
}
