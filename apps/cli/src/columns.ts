/** Which members of an entity a table shows, and how a member looks in a cell. Read from the entity's schema. */
import { stringifyJson, wireTypeOf } from '@broadside/core';
import { formatMoney, isMoney } from './money.ts';
import { isUrls, membersOf, type Schema } from './parameters.ts';
import { printable } from './text.ts';

/** An entity as it came. */
export type Entity = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object with members. */
export function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A column of a table. */
export interface Column {
  /** The member's name on the wire. */
  readonly name: string;
  readonly header: string;
  /** Columns of numbers, aligned right. */
  readonly side: 'left' | 'right';
  /** Free text or a list, which may be cut where the terminal is narrow. */
  readonly flexible: boolean;
}

/** Returns the identifier of an entity: its id, or its first member if it has none. */
export function identityOf(schema: Schema): string | undefined {
  const names = membersOf(schema).map(([name]) => name);
  return names.includes('id') ? 'id' : names[0];
}

// Most informative first. Columns without a rule are shown only when requested by --columns.
const RANKS: readonly ((name: string, kind: string | undefined) => boolean)[] = [
  (name) => isIdentity(name),
  (name) => /^(screen_)?name$/.test(name),
  // What a post says.
  (name) => /^(full_)?text$/.test(name),
  // References to other entities, and the parent.
  (name) =>
    /^((post|user|granted_account|account_media|curated_category)_id|app_store_identifier|targeting_value)$/.test(name),
  (name) => name === 'line_item_id',
  (name) => name === 'type',
  // A rule of faults: what it does to which calls, and how often it did.
  (name) => /^(effect|match|fired|active)$/.test(name),
  (name) => name.endsWith('_status'),
  // What there is to know of an audience or list: how many people, and whether it can be used.
  (name) => /^(audience|list)_size$/.test(name),
  (name) => name === 'targetable',
  (name) => name === 'reasons_not_targetable',
  (name) => isMark(name),
  (name) => name === 'consumer_key',
  (name, kind) => kind === 'long' && isMoney(name),
  (_, kind) => kind === 'enum',
  (name, kind) => kind === 'time' && name !== 'updated_at' && name !== 'timezone_switch_at',
];

/** An entity of so few members is shown with all of them, lists too. */
const FEW_MEMBERS = 5;

/** Columns in the order of their worth, for entities of a schema. `rows` decide which columns have nothing to say. */
export function chooseColumns(schema: Schema, rows: readonly Entity[]): Column[] {
  const members = membersOf(schema).map(([name, member]) => ({ name, kind: wireTypeOf(member)?.kind }));
  const ranked = members
    .map((member) => ({ ...member, rank: RANKS.findIndex((rule) => rule(member.name, member.kind)) }))
    .filter(({ name, rank }) => rank !== -1 && hasNews(name, rows))
    // The sort is stable: within a rank the contract's order holds.
    .sort((a, b) => a.rank - b.rank);
  const isRecord = members.length > FEW_MEMBERS && isIdentity(ranked[0]?.name);
  // A snapshot of another entity fills a table by itself.
  const chosen = isRecord ? ranked : members.filter(({ name }) => name !== 'entity_data');
  return chosen.map(({ name, kind }) => columnOf(name, kind));
}

/** Media of a library are known by their key. */
function isIdentity(name: string | undefined): boolean {
  return name === 'id' || name === 'media_key';
}

/** Says something only where it is true. */
function isMark(name: string): boolean {
  return name === 'deleted' || name === 'suspended';
}

function hasNews(name: string, rows: readonly Entity[]): boolean {
  if (isMark(name)) return rows.some((row) => row[name] === true);
  return rows.length === 0 || rows.some((row) => row[name] !== null && row[name] !== undefined);
}

/** The requested columns. */
export function namedColumns(schema: Schema, names: readonly string[]): Column[] {
  const members = new Map(membersOf(schema));
  return names.map((name) => {
    const member = members.get(name);
    return columnOf(name, member && wireTypeOf(member)?.kind);
  });
}

function columnOf(name: string, kind: string | undefined): Column {
  const header = name
    .replace(/(_amount)?_local_micro$/, '')
    .replaceAll('_', ' ')
    .toUpperCase();
  const side = kind === 'long' || kind === 'int' ? 'right' : 'left';
  const isFree = kind === 'text' || kind === 'list' || kind === undefined;
  return { name, header, side, flexible: isFree && !/(^|_)(id|key)$/.test(name) && name !== 'currency' };
}

/** A member as it looks where it has room: addresses, which may hold commas, and records, one a line. */
export function wholeCell(name: string, entity: Entity): string {
  const value = entity[name];
  if (Array.isArray(value) && value.length > 0 && value.every(isRow)) {
    return value
      .map((row) =>
        Object.keys(row)
          .map((member) => cell(member, row))
          .join('  '),
      )
      .join('\n');
  }
  const isList = Array.isArray(value) && value.length > 0 && isUrls(name);
  return isList ? value.map((item: unknown) => printable(String(item))).join('\n') : cell(name, entity);
}

/** Returns whether a value is a record of single values and lists of them, which is read without the names of its members. */
function isRow(value: unknown): value is Entity {
  return (
    isEntity(value) &&
    Object.values(value).every((part) => !isEntity(part) && !(Array.isArray(part) && part.some(isEntity)))
  );
}

/** A member as it looks in a cell. Absent values are a dash. */
export function cell(name: string, entity: Entity): string {
  const value = entity[name];
  if (value === null || value === undefined) return '-';
  if (isMoney(name) && (typeof value === 'bigint' || typeof value === 'number')) {
    const currency = entity['currency'];
    return formatMoney(BigInt(value), typeof currency === 'string' ? printable(currency) : undefined);
  }
  // A rule that fires a number of times is read with it.
  if (name === 'fired' && typeof entity['times'] === 'number') return `${String(value)} of ${entity['times']}`;
  if (Array.isArray(value)) return value.length === 0 ? '-' : printable(value.map(item).join(', '));
  return printable(typeof value === 'object' ? stringifyJson(value) : String(value));
}

/** An element of a list; what belongs together stays together. */
function item(value: unknown): string {
  if (Array.isArray(value)) return value.map(item).join('+');
  return typeof value === 'object' && value !== null ? stringifyJson(value) : String(value);
}
