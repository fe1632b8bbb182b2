/** Trees as callers send them: what is filled in, and where each mistake is. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readParams } from '../../../operation/parse.ts';
import { segments } from './segments.ts';
import { isLeaf, leavesOf, type Segment } from './tree.ts';

const schema = z.object({ segments: segments() });
const read = (tree: unknown) => readParams(schema, { segments: tree });
const errors = (tree: unknown) => read(tree).issues.map(({ error, message }) => [error, message]);

const terms = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false };
const leaf = (custom_audience_id = 'abc') => ({ custom_audience_id });
const and = (...child_segments: unknown[]) => ({ boolean_operator: 'AND', child_segments });

test('the sample of the reference is stored with defaults on every node', () => {
  const tree = and(
    { custom_audience_id: '1NMTH', lookback_window: 7, negate: true },
    {
      boolean_operator: 'OR',
      child_segments: [
        { custom_audience_id: '1nmti', frequency: 2, frequency_comparator: 'NUM_GT', lookback_window: '30' },
        { custom_audience_id: '1nmtj', negate: 'true', child_segments: [] },
      ],
    },
  );
  const { values, echo, issues } = read(tree);
  expect(issues).toEqual([]);
  expect(values['segments']).toEqual({
    boolean_operator: 'AND',
    ...terms,
    child_segments: [
      { custom_audience_id: '1nmth', lookback_window: 7, ...terms, negate: true, child_segments: [] },
      {
        boolean_operator: 'OR',
        ...terms,
        child_segments: [
          {
            custom_audience_id: '1nmti',
            lookback_window: 30,
            frequency: 2,
            frequency_comparator: 'NUM_GT',
            negate: false,
            child_segments: [],
          },
          { custom_audience_id: '1nmtj', ...terms, negate: true, child_segments: [] },
        ],
      },
    ],
  });
  // Echoed as it was sent.
  expect(echo['segments']).toBe(tree);
  expect(read(values['segments'])).toMatchObject({ issues: [], values });
});

const deep = (levels: number): object => (levels === 0 ? leaf() : and(deep(levels - 1)));
const LEAVES = 'a list of 1 to 10 segments';

const wrong: readonly (readonly [name: string, tree: unknown, ...messages: string[]])[] = [
  ['text', 'AND', 'Expected an object with boolean_operator and child_segments, got "AND" for segments'],
  ['a list', [leaf()], 'got [{"custom_audience_id":"abc"}] for segments'],
  ['null', null, 'got null for segments'],
  [
    'a leaf alone',
    leaf(),
    'Expected no custom_audience_id beside child_segments, got "abc" for segments.custom_audience_id',
    'segments.boolean_operator is missing: expected one of AND, OR',
    `segments.child_segments is missing: expected ${LEAVES}`,
  ],
  ['no children', and(), `Expected ${LEAVES}, got [] for segments.child_segments`],
  ['children that are no list', { boolean_operator: 'AND', child_segments: leaf() }, 'for segments.child_segments'],
  ['no operator', { child_segments: [leaf()] }, 'segments.boolean_operator is missing: expected one of AND, OR'],
  [
    'another operator',
    { boolean_operator: 'XOR', child_segments: [leaf()] },
    'got "XOR" for segments.boolean_operator',
  ],
  [
    'no operator below',
    and(leaf(), { child_segments: [leaf()] }),
    'segments.child_segments[1].boolean_operator is missing: expected one of AND, OR',
  ],
  ['a frequency of 0', and(leaf(), { ...leaf(), frequency: 0 }), 'got 0 for segments.child_segments[1].frequency'],
  ['a broken frequency', and({ ...leaf(), frequency: 1.5 }), 'got 1.5 for segments.child_segments[0].frequency'],
  [
    'another comparator',
    and(and({ ...leaf(), frequency_comparator: 'GTE' })),
    'Expected one of NUM_GTE, NUM_GT, NUM_EQ, NUM_LTE, NUM_LT, got "GTE" for segments.child_segments[0].child_segments[0].frequency_comparator',
  ],
  [
    'another window',
    and({ ...leaf(), lookback_window: 2 }),
    'Expected one of 1, 7, 14, 30, got 2 for segments.child_segments[0].lookback_window',
  ],
  ['a word for negate', and({ ...leaf(), negate: 'no' }), 'got "no" for segments.child_segments[0].negate'],
  [
    'a window on a group',
    and({ ...and(leaf()), lookback_window: 7 }),
    'Expected no lookback_window beside child_segments, got 7 for segments.child_segments[0].lookback_window',
  ],
  [
    'a frequency on a group',
    { ...and(leaf()), frequency: 2 },
    'Expected a frequency on audiences only, got 2 for segments.frequency',
  ],
  [
    'a comparator on a group',
    { ...and(leaf()), frequency_comparator: 'NUM_LT' },
    'Expected a frequency_comparator on audiences only, got "NUM_LT" for segments.frequency_comparator',
  ],
  [
    'an audience with children',
    and({ ...leaf(), ...and(leaf()) }),
    'Expected no custom_audience_id beside child_segments, got "abc" for segments.child_segments[0].custom_audience_id',
  ],
  [
    'an operator on a leaf',
    and({ ...leaf(), boolean_operator: 'OR' }),
    'Expected boolean_operator beside child_segments only, got "OR" for segments.child_segments[0].boolean_operator',
  ],
  [
    'neither audience nor children',
    and({}),
    'segments.child_segments[0].custom_audience_id is missing: expected the id of an audience, or child_segments in its place',
  ],
  ['an empty id', and(leaf('')), 'got "" for segments.child_segments[0].custom_audience_id'],
  ['a child that is no object', and(leaf(), 7), 'got 7 for segments.child_segments[1]'],
  [
    'children of a leaf that are no list',
    and({ ...leaf(), child_segments: 'x' }),
    'for segments.child_segments[0].child_segments',
  ],
  [
    'an unknown member',
    and({ ...leaf(), lookback: 7 }),
    'Expected one of custom_audience_id, boolean_operator, lookback_window, frequency, frequency_comparator, negate, child_segments, got 7 for segments.child_segments[0].lookback',
  ],
  ['eleven leaves side by side', and(...Array.from({ length: 11 }, () => leaf())), `Expected ${LEAVES}`],
  [
    'eleven leaves in two groups',
    and(and(...Array.from({ length: 6 }, () => leaf())), and(...Array.from({ length: 5 }, () => leaf()))),
    'Expected a tree of at most 10 audiences',
  ],
  ['eleven levels', deep(11), 'Expected at most 10 levels of child_segments'],
  ['forty levels', deep(40), 'Expected at most 10 levels of child_segments'],
];

test.for(wrong)('%s is rejected at its place', ([, tree, ...messages]) => {
  const found = read(tree).issues;
  for (const message of messages) {
    expect(found.map((issue) => issue.message ?? '')).toContainEqual(expect.stringContaining(message));
  }
  for (const { error, parameter } of found) {
    expect([parameter, ['INVALID_PARAMETER', 'MISSING_PARAMETER'].includes(error)]).toEqual(['segments', true]);
  }
});

test('every mistake of a tree is reported, up to a hundred', () => {
  const bad = { frequency: 0, negate: 7, extra: 1 };
  expect(errors(and(leaf(), bad, bad))).toHaveLength(8);
  const wide = Array.from({ length: 10 }, () => and(...Array.from({ length: 10 }, () => bad)));
  expect(errors(and(...wide))).toHaveLength(100);
});

test('a tree that is left out is missing', () => {
  expect(readParams(schema, {}).issues).toMatchObject([{ error: 'MISSING_PARAMETER', parameter: 'segments' }]);
});

test('ten leaves on ten levels are accepted', () => {
  expect(read(deep(10)).issues).toEqual([]);
  expect(read(and(...Array.from({ length: 10 }, () => leaf()))).issues).toEqual([]);
});

test('whatever is sent is either a tree of its bounds or rejected, and never an exception', () => {
  const name = fc.constantFrom('custom_audience_id', 'boolean_operator', 'frequency', 'negate', 'child_segments', 'x');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom<unknown>('AND', 'OR', 'abc', 1, 7, true, null, undefined, [], {}),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (sent) => {
      const { values, issues } = read(sent);
      if (issues.length > 0) return;
      const isSound = (segment: Segment): boolean =>
        isLeaf(segment) || (segment.child_segments.length > 0 && segment.child_segments.every(isSound));
      const stored = z.custom<Segment>().parse(values['segments']);
      expect([isSound(stored), leavesOf(stored).length <= 10]).toEqual([true, true]);
    }),
    { numRuns: 2000 },
  );
});
