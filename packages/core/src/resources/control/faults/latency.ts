/** Latencies that are injected: fixed, of a range, or of percentiles. */
import type * as z from 'zod';
import { nested, readMember, unknownMember } from '../../../wire/nested.ts';
import { int } from '../../../wire/types.ts';

/** The longest latency, in milliseconds: our choice, what most clients wait at most. */
const MAX_LATENCY_MS = 300_000;

/** Percentiles that a latency can be described by. */
const percentiles = { p50_ms: 0.5, p75_ms: 0.75, p90_ms: 0.9, p95_ms: 0.95, p99_ms: 0.99, p100_ms: 1 } as const;
type Percentile = keyof typeof percentiles;
const percentileNames = Object.keys(percentiles).filter((name): name is Percentile => name in percentiles);

/** A latency in milliseconds: fixed, of a range with equal chances, or between percentiles. */
export type Latency =
  | { readonly ms: number }
  | { readonly min_ms: number; readonly max_ms: number }
  | { readonly [Name in Percentile]?: number };

const milliseconds: z.ZodType<number> = int({ min: 0, max: MAX_LATENCY_MS });

const EXPECTED =
  'milliseconds, or an object: {"ms"}, {"min_ms", "max_ms"}, or percentiles such as {"p50_ms", "p90_ms", "p99_ms"}';

const known: readonly string[] = ['ms', 'min_ms', 'max_ms', ...percentileNames];

/** A latency; a number alone is a fixed one. */
export const latency = () =>
  nested<Latency, Latency | number>(
    {
      type: ['integer', 'object'],
      minimum: 0,
      maximum: MAX_LATENCY_MS,
      properties: Object.fromEntries(
        known.map((name) => [name, { type: 'integer', minimum: 0, maximum: MAX_LATENCY_MS }]),
      ),
      additionalProperties: false,
    },
    EXPECTED,
    (raw, report) => {
      if (typeof raw === 'number' || typeof raw === 'string') {
        const ms = readMember(milliseconds, raw, [], report);
        return ms === undefined ? undefined : { ms };
      }
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
        report([], { reason: 'invalid', expected: EXPECTED });
        return undefined;
      }
      const unknown = Object.keys(raw).filter((name) => !known.includes(name));
      for (const name of unknown) report([name], unknownMember(known));
      if (unknown.length > 0) return undefined;
      const members = Object.entries(raw);
      const read: Record<string, number> = {};
      for (const [name, value] of members) {
        const ms = readMember(milliseconds, value, [name], report);
        if (ms !== undefined) read[name] = ms;
      }
      if (Object.keys(read).length < members.length) return undefined;
      const found = formOf(read);
      if (found === undefined) report([], { reason: 'invalid', expected: EXPECTED });
      else if (!isAscending(found)) {
        report([], { reason: 'invalid', expected: 'milliseconds that do not fall from the least to the greatest' });
      }
      return found;
    },
  );

function formOf(read: Readonly<Record<string, number>>): Latency | undefined {
  const { ms, min_ms, max_ms, ...others } = read;
  const count = Object.keys(read).length;
  if (ms !== undefined) return count === 1 ? { ms } : undefined;
  if (min_ms !== undefined && max_ms !== undefined) return count === 2 ? { min_ms, max_ms } : undefined;
  return count > 0 && min_ms === undefined && max_ms === undefined ? others : undefined;
}

function isAscending(found: Latency): boolean {
  const points = pointsOf(found);
  return points.every(([, ms], at) => at === 0 || ms >= (points[at - 1]?.[1] ?? 0));
}

/** Points of the distribution: the part of calls that take at most so many milliseconds. */
function pointsOf(found: Latency): readonly (readonly [part: number, ms: number])[] {
  if ('ms' in found) return [[0, found.ms]];
  if ('min_ms' in found) {
    return [
      [0, found.min_ms],
      [1, found.max_ms],
    ];
  }
  const given = percentileNames.flatMap((name) => {
    const ms = found[name];
    return ms === undefined ? [] : ([[percentiles[name], ms]] as const);
  });
  return [[0, 0], ...given];
}

/**
 * The latency of one call.
 * @param part from 0 up to 1, each equally likely
 * @returns milliseconds; between two percentiles on the line between them, above the greatest as that one
 */
export function latencyAt(found: Latency, part: number): number {
  const points = pointsOf(found);
  let [below, least] = points[0] ?? [0, 0];
  for (const [to, ms] of points) {
    if (part < to) return Math.round(least + ((ms - least) * (part - below)) / (to - below));
    [below, least] = [to, ms];
  }
  return least;
}
