/** The report of a run: a table for people, JSON for programs, Markdown for the documentation. */
import { type BenchRow, misses } from './bench-row.ts';

/** Circumstances of a run, without which its figures say little. */
export interface Conditions {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly cores: string;
}

const columns = ['row', 'ratio', 'aim', 'spread', 'cpu us', 'other', 'floor', 'req/s', 'p50 ms', 'p99 ms'] as const;

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
  ];
}

const LEGEND =
  'Ratio: what the other side needs divided by what we need, above 1 is better than the other side; ! misses its aim. Other: processor time of the other side; floor: of a server that sends the same bytes from memory.';

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

/** The table as Markdown. */
export function markdownOf(rows: readonly BenchRow[], conditions: Conditions): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_, place) => (place === 0 ? '---' : '--:'));
  const notes = rows.flatMap(({ name, notes: text }) => (text === null ? [] : `- ${name}: ${text}`));
  return `${[sentenceOf(conditions), '', LEGEND, '', line(columns), line(rule), ...rows.map((row) => line(cellsOf(row))), '', ...notes].join('\n')}\n`;
}

function sentenceOf({ date, machine, node, connections, rounds, seconds, cores }: Conditions): string {
  return `${date}, ${machine}, Node ${node}; ${connections} connections, ${rounds} interleaved rounds of about ${(seconds / rounds).toFixed(1)} s for each server, medians; ${cores}.`;
}
