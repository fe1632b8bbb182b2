/** Random trees of flexible audiences, through the contract. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

type Node = Readonly<Record<string, unknown>> & { readonly child_segments?: readonly Node[] };

/** A node as it may be sent, and as it is stored. */
interface Pair {
  readonly sent: Node;
  readonly stored: Node;
}

/** A value that may be left out, may be sent as text, and has a default. */
const term = <Value extends string | number | boolean>(values: fc.Arbitrary<Value>, preset: Value) =>
  fc.record({ value: fc.option(values), asText: fc.boolean() }).map(({ value, asText }) => ({
    sent: value === null ? undefined : asText ? String(value) : value,
    stored: value ?? preset,
  }));

const negate = term(fc.boolean(), false);

function leafOf(ids: readonly string[]): fc.Arbitrary<Pair> {
  return fc
    .record({
      id: fc.constantFrom(...ids),
      upper: fc.boolean(),
      window: fc.option(fc.constantFrom(1, 7, 14, 30)),
      frequency: term(fc.integer({ min: 1, max: 1000 }), 1),
      comparator: fc.option(fc.constantFrom('NUM_GTE', 'NUM_GT', 'NUM_EQ', 'NUM_LTE', 'NUM_LT')),
      negate,
      children: fc.boolean(),
    })
    .map(({ id, upper, window, frequency, comparator, negate: negated, children }) => ({
      sent: {
        custom_audience_id: upper ? id.toUpperCase() : id,
        ...(window === null ? {} : { lookback_window: window }),
        ...(frequency.sent === undefined ? {} : { frequency: frequency.sent }),
        ...(comparator === null ? {} : { frequency_comparator: comparator }),
        ...(negated.sent === undefined ? {} : { negate: negated.sent }),
        ...(children ? { child_segments: [] } : {}),
      },
      stored: {
        custom_audience_id: id,
        ...(window === null ? {} : { lookback_window: window }),
        frequency: frequency.stored,
        frequency_comparator: comparator ?? 'NUM_GTE',
        negate: negated.stored,
        child_segments: [],
      },
    }));
}

/** Groups of some leaves: splits their number among children, so that a tree never has too many. */
function groupOf(ids: readonly string[], leaves: number, levels: number): fc.Arbitrary<Pair> {
  const children = fc
    .array(fc.integer({ min: 1, max: leaves }), { minLength: 1, maxLength: leaves })
    .map((sizes) => sizes.filter((_, i) => sum(sizes.slice(0, i + 1)) <= leaves))
    .chain((sizes) =>
      fc.tuple(
        ...sizes.map((size) =>
          size === 1 && levels > 1
            ? fc.oneof({ weight: 4, arbitrary: leafOf(ids) }, { weight: 1, arbitrary: groupOf(ids, 1, levels - 1) })
            : size === 1
              ? leafOf(ids)
              : levels > 1
                ? groupOf(ids, size, levels - 1)
                : leafOf(ids),
        ),
      ),
    );
  return fc
    .record({ operator: fc.constantFrom('AND', 'OR'), negate, children, spelled: fc.boolean() })
    .map(({ operator, negate: negated, children: pairs, spelled }) => ({
      sent: {
        boolean_operator: operator,
        ...(spelled ? { frequency: 1, frequency_comparator: 'NUM_GTE' } : {}),
        ...(negated.sent === undefined ? {} : { negate: negated.sent }),
        child_segments: pairs.map(({ sent }) => sent),
      },
      stored: {
        boolean_operator: operator,
        frequency: 1,
        frequency_comparator: 'NUM_GTE',
        negate: negated.stored,
        child_segments: pairs.map(({ stored }) => stored),
      },
    }));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** All nodes of a tree with their places. */
function nodesOf(node: Node, place = 'segments'): { readonly node: Node; readonly place: string }[] {
  const children = node.child_segments ?? [];
  return [{ node, place }, ...children.flatMap((child, i) => nodesOf(child, `${place}.child_segments[${i}]`))];
}

/** Mistakes that fit any node: the member that is spoiled, and its value. */
const mistakes: readonly (readonly [name: string, value: unknown])[] = [
  ['frequency', 0],
  ['frequency', -1],
  ['frequency', 1.5],
  ['frequency', 'x'],
  ['frequency', {}],
  ['frequency_comparator', 'NUM_NE'],
  ['frequency_comparator', 7],
  ['negate', 'maybe'],
  ['negate', null],
  ['lookback_window', 2],
  ['lookback_window', '7 days'],
  ['child_segments', {}],
  ['child_segments', 'x'],
  ['Frequency', 1],
  ['boolean_operator', 'XOR'],
];

function spoiled(tree: Node, target: Node, name: string, value: unknown): Node {
  if (tree === target) return { ...tree, [name]: value };
  if (!tree.child_segments) return tree;
  return { ...tree, child_segments: tree.child_segments.map((child) => spoiled(child, target, name, value)) };
}

const creation = (name: string, segments: unknown) => ({
  operation_type: 'Create',
  params: { name, audience_type: 'FLEXIBLE', segments },
});

async function audiences(stage: Stage): Promise<string[]> {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) ids.push((await stage.one('custom_audiences.create', { name })).id);
  return ids;
}

scenario('B-FLEXIBLE-ANY-TREE', async (stage) => {
  const tree = groupOf(await audiences(stage), 10, 5);
  let made = 0;
  const batch = fc.array(tree, { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(batch, async (trees) => {
      const operations = trees.map(({ sent }) => creation(`tree ${made++}`, sent));
      const created = await stage.many('custom_audiences.batch', { operations });
      expect(created.map(({ metadata }) => metadata)).toMatchObject(trees.map(({ stored }) => [{ segments: stored }]));
      const custom_audience_ids = created.map(({ id }) => id);
      const listed = await stage.many('custom_audiences.list', { custom_audience_ids, sort_by: ['created_at-asc'] });
      expect(listed).toEqual(created);
    }),
    { numRuns: 15 },
  );
  const wrong = fc.tuple(tree, fc.nat(), fc.constantFrom(...mistakes));
  await fc.assert(
    fc.asyncProperty(wrong, async ([{ sent }, at, [name, value]]) => {
      const nodes = nodesOf(sent);
      const { node, place } = nodes[at % nodes.length] ?? { node: sent, place: 'segments' };
      const outcome = await stage.call('custom_audiences.batch', {
        operations: [creation('never', spoiled(sent, node, name, value))],
      });
      const errors = outcome.operation_errors?.[0] ?? [];
      expect(outcome.status, JSON.stringify(errors)).toBe(400);
      expect(errors.map(({ message }) => message).join('\n')).toContain(`${place}.${name}`);
      for (const { parameter } of errors) expect(parameter).toBe('segments');
    }),
    { numRuns: 150 },
  );
  expect(await stage.many('custom_audiences.list', { q: 'never' })).toEqual([]);
});
