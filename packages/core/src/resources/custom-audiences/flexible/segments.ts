/** The tree of a flexible audience on the wire: read from what callers send, and its form in documents. */
import type * as z from 'zod';
import { nested, type Place, type Report, readMember } from '../../../wire/nested.ts';
import { boolean, id, int, type JsonSchema, oneOf, oneOfInt, wireTypeOf } from '../../../wire/types.ts';
import {
  type BooleanOperator,
  booleanOperators,
  type FrequencyComparator,
  frequencyComparators,
  lookbackWindows,
  MAX_LEAVES,
  MAX_LEVELS,
  type Segment,
  type SegmentGroup,
  type SegmentLeaf,
} from './tree.ts';

interface SentTerms {
  readonly frequency?: number;
  readonly frequency_comparator?: FrequencyComparator;
  readonly negate?: boolean;
}

/** A leaf of a tree as callers send it. */
export interface SegmentLeafInput extends SentTerms {
  readonly custom_audience_id: string;
  readonly lookback_window?: number;
  readonly child_segments?: readonly [];
}

/** An inner node of a tree as callers send it. */
export interface SegmentGroupInput extends SentTerms {
  readonly boolean_operator: BooleanOperator;
  readonly child_segments: readonly (SegmentLeafInput | SegmentGroupInput)[];
}

/** The members of nodes besides their children. */
interface Values {
  readonly custom_audience_id: string;
  readonly boolean_operator: BooleanOperator;
  readonly lookback_window: number;
  readonly frequency: number;
  readonly frequency_comparator: FrequencyComparator;
  readonly negate: boolean;
}

const fields: { readonly [Name in keyof Values]: z.ZodType<Values[Name]> } = {
  custom_audience_id: id(),
  boolean_operator: oneOf(booleanOperators),
  lookback_window: oneOfInt(lookbackWindows),
  frequency: int({ min: 1 }),
  frequency_comparator: oneOf(frequencyComparators),
  negate: boolean(),
};

const known = new Set([...Object.keys(fields), 'child_segments']);

const AUDIENCE_OR_GROUP = 'an object with custom_audience_id, or with boolean_operator and child_segments';
const GROUP = 'an object with boolean_operator and child_segments';
const CHILDREN = `a list of 1 to ${MAX_LEAVES} segments`;

type Sent = Readonly<Record<string, unknown>>;

/** Reads one tree. Every mistake is reported, so that one response has all of them. */
class TreeReader {
  readonly #report: Report;
  #leaves = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  read(raw: unknown): SegmentGroup | undefined {
    if (!isRecord(raw)) {
      this.#reject([], GROUP);
      return undefined;
    }
    const tree = this.#group(raw, [], 1);
    if (this.#leaves > MAX_LEAVES)
      this.#reject([], `a tree of at most ${MAX_LEAVES} audiences`, `${this.#leaves} audiences`);
    return tree;
  }

  #segment(raw: unknown, place: Place, level: number): Segment | undefined {
    if (!isRecord(raw)) {
      this.#reject(place, AUDIENCE_OR_GROUP);
      return undefined;
    }
    const { child_segments } = raw;
    const isGroup = child_segments !== undefined && !(Array.isArray(child_segments) && child_segments.length === 0);
    return isGroup ? this.#group(raw, place, level) : this.#leaf(raw, place);
  }

  #leaf(raw: Sent, place: Place): SegmentLeaf | undefined {
    this.#leaves++;
    this.#checkNames(raw, place);
    if (raw['boolean_operator'] !== undefined) {
      this.#reject([...place, 'boolean_operator'], 'boolean_operator beside child_segments only');
    }
    if (raw['custom_audience_id'] === undefined) {
      const expected = 'the id of an audience, or child_segments in its place';
      this.#report([...place, 'custom_audience_id'], { reason: 'missing', expected });
    }
    const audience = this.#optional(raw, 'custom_audience_id', place);
    const lookback_window = this.#optional(raw, 'lookback_window', place);
    const terms = this.#terms(raw, place);
    if (audience === undefined) return undefined;
    const window = lookback_window === undefined ? {} : { lookback_window };
    return { custom_audience_id: audience.toLowerCase(), ...window, ...terms, child_segments: [] };
  }

  #group(raw: Sent, place: Place, level: number): SegmentGroup | undefined {
    this.#checkNames(raw, place);
    for (const name of ['custom_audience_id', 'lookback_window'] as const) {
      if (raw[name] !== undefined) this.#reject([...place, name], `no ${name} beside child_segments`);
    }
    const boolean_operator = readMember(
      fields.boolean_operator,
      raw['boolean_operator'],
      [...place, 'boolean_operator'],
      this.#report,
    );
    const terms = this.#terms(raw, place);
    // Stored trees show them on every node, so a tree that was read may be sent again (our choice).
    if (terms.frequency !== 1) this.#reject([...place, 'frequency'], 'a frequency on audiences only');
    if (terms.frequency_comparator !== 'NUM_GTE') {
      this.#reject([...place, 'frequency_comparator'], 'a frequency_comparator on audiences only');
    }
    const child_segments = this.#children(raw['child_segments'], [...place, 'child_segments'], level);
    if (boolean_operator === undefined) return undefined;
    return { boolean_operator, ...terms, child_segments };
  }

  #children(raw: unknown, place: Place, level: number): Segment[] {
    if (raw === undefined) this.#report(place, { reason: 'missing', expected: CHILDREN });
    else if (!Array.isArray(raw) || raw.length === 0 || raw.length > MAX_LEAVES) this.#reject(place, CHILDREN);
    else if (level > MAX_LEVELS) this.#reject(place, `at most ${MAX_LEVELS} levels of child_segments`);
    else return raw.flatMap((child: unknown, index) => this.#segment(child, [...place, index], level + 1) ?? []);
    return [];
  }

  /** The terms of a node, defaults filled in. The documented default of `negate` is true, the example shows false (our choice). */
  #terms(raw: Sent, place: Place) {
    return {
      frequency: this.#optional(raw, 'frequency', place) ?? 1,
      frequency_comparator: this.#optional(raw, 'frequency_comparator', place) ?? 'NUM_GTE',
      negate: this.#optional(raw, 'negate', place) ?? false,
    } as const;
  }

  #optional<Name extends keyof Values>(raw: Sent, name: Name, place: Place): Values[Name] | undefined {
    if (raw[name] === undefined) return undefined;
    return readMember(fields[name], raw[name], [...place, name], this.#report);
  }

  #checkNames(raw: Sent, place: Place): void {
    for (const name of Object.keys(raw)) {
      if (known.has(name)) continue;
      this.#reject([...place, name.slice(0, 100)], `one of ${[...known].join(', ')}`, 'unknown member');
    }
  }

  #reject(place: Place, expected: string, details?: string): void {
    this.#report(place, { reason: 'invalid', expected, ...(details === undefined ? {} : { details }) });
  }
}

function isRecord(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The properties of a node in a JSON Schema. */
function properties(...names: readonly (keyof Values)[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, wireTypeOf(fields[name])?.json ?? {}]));
}

const leafJson = {
  type: 'object',
  properties: {
    ...properties('custom_audience_id', 'lookback_window', 'frequency', 'frequency_comparator', 'negate'),
    child_segments: { type: 'array', items: {}, maxItems: 0 },
  },
  required: ['custom_audience_id'],
  additionalProperties: false,
};

/** The JSON Schema of a group that describes some levels of groups below it; JSON Schema inside a document cannot recur. */
function groupJson(below: number): JsonSchema {
  const child = below === 0 ? { type: 'object' } : { anyOf: [leafJson, groupJson(below - 1)] };
  return {
    type: 'object',
    properties: {
      ...properties('boolean_operator', 'frequency', 'frequency_comparator', 'negate'),
      child_segments: { type: 'array', minItems: 1, maxItems: MAX_LEAVES, items: child },
    },
    required: ['boolean_operator', 'child_segments'],
    additionalProperties: false,
  };
}

/** The tree of a flexible audience. */
export function segments() {
  return nested<SegmentGroup, SegmentGroupInput>(groupJson(2), GROUP, (raw, report) =>
    new TreeReader(report).read(raw),
  );
}
