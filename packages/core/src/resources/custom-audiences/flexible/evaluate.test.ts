import { expect, test } from 'vitest';
import { type AudienceMember, evaluateSegments } from './evaluate.ts';
import type { BooleanOperator, Segment, SegmentGroup, SegmentLeaf } from './tree.ts';

const DAY = 86_400;
const NOW = 1000 * DAY;

const terms = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false } as const;
const leaf = (custom_audience_id: string, changes: Partial<SegmentLeaf> = {}): SegmentLeaf => ({
  custom_audience_id,
  ...terms,
  child_segments: [],
  ...changes,
});
const group = (boolean_operator: BooleanOperator, ...child_segments: Segment[]): SegmentGroup => ({
  boolean_operator,
  ...terms,
  child_segments,
});
const not = <Node extends Segment>(segment: Node): Node => ({ ...segment, negate: true });

const plain = (...people: string[]) => people.map((person) => ({ person, events_s: [] }));
const audiences = new Map<string, readonly AudienceMember<string>[]>([
  ['a', plain('ann', 'bob', 'cem')],
  ['b', plain('bob', 'dan')],
  ['c', plain('cem', 'dan', 'eve')],
]);
const people = (tree: Segment) => [...evaluateSegments(tree, (id) => audiences.get(id) ?? [], NOW)].sort();
const [a, b, c] = [leaf('a'), leaf('b'), leaf('c')];

test.for<readonly [name: string, tree: Segment, ...people: string[]]>([
  ['one', group('AND', a), 'ann', 'bob', 'cem'],
  ['AND crosses', group('AND', a, b), 'bob'],
  ['OR joins', group('OR', a, b), 'ann', 'bob', 'cem', 'dan'],
  ['a negated child under AND is subtracted', group('AND', a, not(b)), 'ann', 'cem'],
  ['a negated child under OR brings everybody else of the tree', group('OR', a, not(b)), 'ann', 'bob', 'cem'],
  ['with a third, these are more', group('OR', b, not(a), group('AND', c, c)), 'bob', 'cem', 'dan', 'eve'],
  ['negation of a group', group('AND', c, not(group('OR', a, b))), 'eve'],
  ['negation of the whole', not(group('OR', a, b))],
  ['negation of the whole, with others', not(group('AND', group('OR', a, b, c), a)), 'dan', 'eve'],
  ['an audience against itself', group('AND', a, not(a))],
  ['an audience or everybody else', group('OR', b, not(b)), 'bob', 'dan'],
  ['one that is gone', group('AND', a, leaf('gone'))],
  ['without one that is gone', group('AND', a, not(leaf('gone'))), 'ann', 'bob', 'cem'],
  ['the sample of the reference', group('AND', not(a), group('OR', b, not(c))), 'dan'],
])('%s', ([, tree, ...expected]) => {
  expect(people(tree)).toEqual(expected);
});

const days = (...ago: number[]) => ago.map((day) => NOW - day * DAY);
const regulars: readonly AudienceMember<string>[] = [
  { person: 'never', events_s: [] },
  { person: 'now', events_s: [NOW] },
  { person: 'later', events_s: [NOW + 1] },
  { person: 'week', events_s: days(7) },
  { person: 'within', events_s: [NOW - 7 * DAY + 1] },
  { person: 'often', events_s: days(1, 2, 8, 20) },
];

test.for<readonly [name: string, changes: Partial<SegmentLeaf>, ...people: string[]]>([
  ['every member, whatever their events', {}, 'later', 'never', 'now', 'often', 'week', 'within'],
  ['a window ends before its first second', { lookback_window: 7 }, 'now', 'often', 'within'],
  ['at least two', { frequency: 2 }, 'often'],
  ['at least two in a window', { frequency: 2, lookback_window: 7 }, 'often'],
  ['at least three in a window', { frequency: 3, lookback_window: 7 }],
  ['more than one', { frequency_comparator: 'NUM_GT' }, 'often'],
  ['exactly one', { frequency_comparator: 'NUM_EQ' }, 'now', 'week', 'within'],
  ['at most one', { frequency_comparator: 'NUM_LTE' }, 'later', 'never', 'now', 'week', 'within'],
  ['none at all', { frequency_comparator: 'NUM_LT' }, 'later', 'never'],
  ['none in a window', { frequency_comparator: 'NUM_LT', lookback_window: 7 }, 'later', 'never', 'week'],
])('frequency: %s', ([, changes, ...expected]) => {
  const found = evaluateSegments(group('AND', leaf('r', changes)), () => regulars, NOW);
  expect([...found].sort()).toEqual(expected);
});

test('the complement of a leaf with a frequency holds the other members of its audience', () => {
  const found = evaluateSegments(group('AND', not(leaf('r', { frequency: 2 }))), () => regulars, NOW);
  expect([...found].sort()).toEqual(['later', 'never', 'now', 'week', 'within']);
});
