/** The report of a run: a table for people, JSON for programs, Markdown for the documentation. */
import { type BenchRow, misses } from './bench-row.ts';

/** Circumstances of a run, without which its figures say little. */
export interface Conditions {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  /** The time that the run took. */
  readonly minutes: number;
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly cores: string;
}

const columns = [
  'row',
  'ratio',
  'aim',
  'spread',
  'cpu us',
  'other',
  'floor',
  'req/s',
  'p50 ms',
  'p99 ms',
  'MB',
] as const;

function cellsOf(row: BenchRow): readonly string[] {
  const figure = (value: number | null | undefined, digits: number) => (value == null ? '' : value.toFixed(digits));
  return [
    row.name,
    `${figure(row.ratio, 2)}${misses(row) ? ' !' : ''}`,
    figure(row.aim, 2),
    row.spread ? row.spread.map((ratio) => ratio.toFixed(2)).join('-') : '',
    figure(row.cpu_us, 0),
    figure(row.other?.cpu_us, 0),
    figure(row.floor_cpu_us, 0),
    figure(row.requests_per_second, 0),
    figure(row.p50_ms, 2),
    figure(row.p99_ms, 2),
    figure(row.memory_mb, 0),
  ];
}

const LEGEND =
  'Ratio: what the other side needs divided by what the server needs, so more is better; ! misses its aim. Cpu: processor time of the server for one request. Other: processor time of the other side; floor: of a server that sends the same bytes from memory. Spread: what half of the rounds lie between. MB: resident memory of the server after the row.';

/** The table as text. */
export function textOf(rows: readonly BenchRow[], conditions: Conditions): string {
  const cells = [columns, ...rows.map(cellsOf)];
  const widths = columns.map((_, place) => Math.max(...cells.map((line) => line[place]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, place) => (place === 0 ? cell.padEnd(widths[place] ?? 0) : cell.padStart(widths[place] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const notes = rows.flatMap(({ name, notes: text }) => (text === null ? [] : `${name}: ${text}`));
  return `${[sentenceOf(conditions), LEGEND, '', ...lines, '', ...notes].join('\n')}\n`;
}

/** A part of the bench with what it measured. */
export interface MeasuredPart {
  readonly name: string;
  readonly seconds: number;
  readonly rows: readonly BenchRow[];
}

/** The page of the documentation: a table for each part. `command` is what wrote it. */
export function markdownOf(parts: readonly MeasuredPart[], conditions: Conditions, command: string): string {
  const missed = parts.flatMap(({ rows }) => rows).filter(misses);
  const intro = [
    '# Performance',
    `Written by \`${command}\`; why it is as it is: [ADR 0017](adr/0017-the-hot-path.md) and those after it.`,
    `${sentenceOf(conditions)} The run took ${conditions.minutes.toFixed(1)} minutes.`,
    LEGEND,
    missed.length === 0 ? 'All aims are reached.' : `Aims that are missed: ${missed.length}.`,
  ];
  return `${[...intro, ...parts.flatMap(partOf)].join('\n\n')}\n`;
}

function partOf({ name, rows }: MeasuredPart): readonly string[] {
  const cells = rows.map(cellsOf);
  const shown = columns.flatMap((_, place) => (place === 0 || cells.some((line) => line[place] !== '') ? [place] : []));
  const line = (all: readonly string[]) => `| ${shown.map((place) => all[place]).join(' | ')} |`;
  const rule = columns.map((_, place) => (place === 0 ? '---' : '--:'));
  const table = [columns, rule, ...cells].map(line).join('\n');
  const ratios = [...new Set(rows.flatMap(({ ratio_of }) => ratio_of ?? []))].join('; ');
  const notes = rows.flatMap(({ name: row, notes: text }) => (text === null ? [] : `- ${row}: ${text}`));
  return [
    `## ${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    ...(ratios === '' ? [] : [`Ratio: ${ratios}.`]),
    table,
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
  ];
}

function sentenceOf({ date, machine, node, connections, rounds, seconds, cores }: Conditions): string {
  return `${date}, ${machine}, Node ${node}; ${connections} connections, interleaved rounds (${rounds} or more) of about ${(seconds / rounds).toFixed(1)} s for each server, medians; ${cores}.`;
}
