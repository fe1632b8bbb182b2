/** Rows of an upload from the records of a file. */
import type { AudienceRow } from '@broadside/client';
import type { IdentifierKind } from '@broadside/core/identifiers';
import { type Columns, isIdentifierUse } from './identifier-columns.ts';
import type { Line } from './table-reader.ts';

/** The line of each row, in little memory: rows that follow each other line by line are one entry. */
export class LineNumbers {
  /** Rows at which the distance between row and line changes. */
  #steps: { readonly row: number; readonly ahead: number }[] = [];

  /** Notes the line of the next row. */
  add(row: number, line: number): void {
    const ahead = line - row;
    if (this.#steps.at(-1)?.ahead !== ahead) this.#steps.push({ row, ahead });
  }

  /** The line of a row that was added, and not forgotten. */
  of(row: number): number {
    return row + (this.#steps.findLast((step) => step.row <= row)?.ahead ?? 0);
  }

  /** Forgets the rows before this one. */
  forgetBefore(row: number): void {
    const kept = this.#steps.findLastIndex((step) => step.row <= row);
    if (kept > 0) this.#steps = this.#steps.slice(kept);
  }
}

/** Makes the row of a record. Empty cells are left out. */
export function personOf({ cells }: Line, { uses }: Columns, separator: string): AudienceRow {
  const identifiers: Partial<Record<IdentifierKind, string[]>> = {};
  const terms: Partial<Record<'effective_at' | 'expires_at', string>> = {};
  for (const [index, use] of uses.entries()) {
    const cell = cells[index];
    if (use === undefined || cell === undefined || cell === '') continue;
    if (!isIdentifierUse(use)) terms[use] = cell.trim();
    else identifiers[use] = [...(identifiers[use] ?? []), ...valuesOf(use, cell, separator)];
  }
  return { ...identifiers, ...terms };
}

function valuesOf(kind: IdentifierKind, cell: string, separator: string): string[] {
  if (kind === 'partner_user_id' || separator === '' || !cell.includes(separator)) return [cell];
  return cell.split(separator).filter((value) => value.trim() !== '');
}

/** Cells beyond the last column: a delimiter in some cell is not quoted, so that all others may be out of place. */
export function hasExtraCells({ cells }: Line, { uses }: Columns): boolean {
  return cells.length > uses.length && cells.slice(uses.length).some((cell) => cell !== '');
}
