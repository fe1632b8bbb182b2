/** Exports as pages of records: the parts one after the other, each from a position that the cursor holds. */
import { decodeCursor, encodeCursor, type Page } from '@broadside/core';
import type { AuditEntry } from '@broadside/core/resources/operator';
import type { AuditQuery } from '../../audit/audit-log.ts';
import type { Exported } from '../../people/exported.ts';
import type { World } from '../../world/world.ts';

/** Positions that a page tries before it is given without records. */
const MOST_EMPTY = 20;

/** A part of an export, and the form that its positions have. */
export interface PartOfExport {
  /** @returns `undefined` where the position is none */
  readonly read: (world: World, subject: string, position: string) => Promise<Exported | undefined>;
  /** Positions are checked by this; where it is left out, by those who read. */
  readonly positions?: RegExp;
}

/** An export. */
interface Export<Name extends string> {
  /** The name of its cursors. */
  readonly order: string;
  /** In their order. */
  readonly names: readonly Name[];
  readonly parts: Readonly<Record<Name, PartOfExport>>;
}

interface Position {
  readonly part: number;
  readonly position: string;
}

/** Returns a page of an export. @returns `undefined` when the cursor is not one of it */
export async function pageOfExport<Name extends string>(
  { order, names, parts }: Export<Name>,
  world: World,
  subject: string,
  cursor: string | undefined,
): Promise<Page<{ part: Name; data: Record<string, unknown> }> | undefined> {
  const read = (text: string): Position | undefined => {
    const decoded = decodeCursor(text);
    const [part, position, ...more] = decoded?.order === order ? decoded.after : [];
    if (typeof part !== 'bigint' || typeof position !== 'string' || more.length > 0 || part < 0n) return undefined;
    const name = names[Number(part)];
    if (name === undefined) return undefined;
    const isPossible = position === '' || (parts[name].positions?.test(position) ?? true);
    return isPossible ? { part: Number(part), position } : undefined;
  };
  let at: Position | undefined = cursor === undefined ? { part: 0, position: '' } : read(cursor);
  for (let empty = 0; ; empty++) {
    const name: Name | undefined = at && names[at.part];
    if (!at || name === undefined) return undefined;
    const exported: Exported | undefined = await parts[name].read(world, subject, at.position);
    if (!exported) return undefined;
    const { records, next } = exported;
    at = next === undefined ? { part: at.part + 1, position: '' } : { part: at.part, position: next };
    const isOver = at.part === names.length;
    if (records.length === 0 && !isOver && empty < MOST_EMPTY) continue;
    const data = records.map((record) => ({ part: name, data: shown(record) }));
    const after = [BigInt(at.part), at.position];
    return { data, next_cursor: isOver ? null : encodeCursor({ order, after }) };
  }
}

/** Reads a page of the change logs as a part of an export. @returns `undefined` where the position is none */
export async function changes(
  world: World,
  asked: Omit<AuditQuery, 'count'>,
  position: string,
): Promise<Exported | undefined> {
  const page: Page<AuditEntry> | undefined = await world.audit.list({
    ...asked,
    count: 200,
    cursor: position === '' ? undefined : position,
  });
  return page && { records: page.data, next: page.next_cursor ?? undefined };
}

/** Ids are texts, since few readers of JSON read whole numbers of 64 bits; times are those of the wire. */
function shown(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => {
      if (name.endsWith('_ms') && typeof value === 'number')
        return [name.replace(/_ms$/, '_at'), new Date(value).toISOString()];
      return [name, typeof value === 'bigint' ? `${value}` : value];
    }),
  );
}
