/** Tables for people. */
import { type Column, cell, type Entity, isEntity } from './columns.ts';
import type { Paint } from './paint.ts';
import { broken, cut, pad, width, wrap } from './text.ts';

const GAP = '  ';
/** Free text is not cut to less than this. */
const LEAST_TEXT = 12;
/** Records are not broken into lines of less than this, as long as there is room for them. */
const LEAST_RECORD = 24;
/** More columns than this are not read across. */
const MAX_COLUMNS = 8;

/** A column with its place. */
export interface PlacedColumn extends Column {
  readonly width: number;
  /** It holds records, of which a part says nothing: they go on in further lines where the terminal is narrow. */
  readonly breaks: boolean;
}

/** Takes as many columns as fit, those of most worth first, and gives each its width. */
export function layOut(
  columns: readonly Column[],
  rows: readonly Entity[],
  available: number | undefined,
  most = MAX_COLUMNS,
): PlacedColumn[] {
  const room = available ?? Number.POSITIVE_INFINITY;
  const placed: PlacedColumn[] = [];
  let used = 0;
  for (const column of columns.slice(0, most)) {
    const wanted = Math.max(width(column.header), ...rows.map((row) => width(cell(column.name, row))));
    const breaks = column.flexible && rows.some((row) => isEntity(row[column.name]));
    const needed = column.flexible ? Math.min(wanted, breaks ? LEAST_RECORD : LEAST_TEXT) : wanted;
    const gap = placed.length === 0 ? 0 : GAP.length;
    // The first column identifies the record, so it is shown at any width.
    if (placed.length > 0 && used + gap + needed > room) continue;
    placed.push({ ...column, width: wanted, breaks });
    used += gap + needed;
  }
  return shrink(placed, room);
}

/** Takes what is too wide from the widest free texts. */
function shrink(columns: readonly PlacedColumn[], room: number): PlacedColumn[] {
  const widths = columns.map((column) => column.width);
  const excess = () => widths.reduce((sum, one) => sum + one + GAP.length, -GAP.length) - room;
  while (excess() > 0) {
    let widest = -1;
    columns.forEach(({ flexible }, i) => {
      const own = widths[i] ?? 0;
      if (flexible && own > LEAST_TEXT && own > (widths[widest] ?? 0)) widest = i;
    });
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return columns.map((column, i) => ({ ...column, width: widths[i] ?? column.width }));
}

/** The line of headers. */
export function headerLine(columns: readonly PlacedColumn[], paint: Paint): string {
  return paint('bold', line(columns.map((column) => ({ ...column, text: column.header }))));
}

/** The line of one entity, or the lines where records have to be broken. */
export function rowLine(columns: readonly PlacedColumn[], entity: Entity, paint: Paint): string {
  return line(
    columns.map((column) => {
      const text = cell(column.name, entity);
      return { ...column, text, ...(text === '-' ? { paint } : {}) };
    }),
  );
}

interface Cell extends PlacedColumn {
  readonly text: string;
  readonly paint?: Paint;
}

function line(cells: readonly Cell[]): string {
  const lines = cells.map(({ text, width: columns, breaks }) =>
    breaks ? broken(text, columns) : [cut(text, columns)],
  );
  const height = Math.max(...lines.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) => {
    const parts = cells.map(({ width: columns, side, paint }, i) => {
      const last = i === cells.length - 1 && side === 'left';
      const fitted = lines[i]?.[row] ?? '';
      const padded = last ? fitted : pad(fitted, columns, side);
      return paint ? paint('dim', padded) : padded;
    });
    return row === 0 ? parts.join(GAP) : parts.join(GAP).trimEnd();
  }).join('\n');
}

/**
 * Names and values, one a line. A value that is too long for the terminal goes on below itself, broken between words.
 * @param available the width of the terminal; without one nothing is broken
 */
export function pairs(
  entries: readonly (readonly [name: string, text: string])[],
  paint: Paint,
  available?: number,
): string {
  const widest = Math.max(0, ...entries.map(([name]) => width(name)));
  const indent = ' '.repeat(widest + GAP.length);
  const room = Math.max(LEAST_TEXT, (available ?? Number.POSITIVE_INFINITY) - indent.length);
  return entries
    .map(([name, text]) => {
      const lines = text.split('\n').map((line) => (width(line) > room ? wrap(line, room, indent) : line));
      const shown = lines.join(`\n${indent}`);
      return `${paint('cyan', pad(name, widest))}${GAP}${text === '-' ? paint('dim', text) : shown}\n`;
    })
    .join('');
}
