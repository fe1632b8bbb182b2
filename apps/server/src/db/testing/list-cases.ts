/** The lists of account data, derived from the contract and the kinds of entity, with rows to list. */
import { allOperations, type ListQuery, type Operation, wireTypeOf } from '@broadside/core';
import { collatedName } from '@broadside/core/text';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import * as families from '../../resources/registry.ts';
import type { Entity } from '../entity.ts';
import { EntityQueries, type EntityTypes, type StoredRow } from '../entity-queries.ts';
import type { Condition } from '../filters.ts';
import { foldName } from '../fold-name.ts';
import { comparer, NEWEST_FIRST, orderOf } from '../keyset.ts';
import type { ListBounds } from '../list-request.ts';

/** A list of the contract that reads a table. */
export interface ListCase {
  readonly id: string;
  readonly entity: Entity;
  /** The values of `sort_by`. */
  readonly orders: readonly string[];
}

/** Lists that read no table of account data by the parameters of a list, each with the reason. */
export const OTHER_LISTS: Readonly<Record<string, string>> = {
  'accounts.list': 'the directory, which belongs to no account',
  'publishers.list': 'the catalogue, which belongs to no account',
  'curated_categories.list': 'the catalogue, which belongs to no account',
  'media_library.list': 'an index of terms, see media-library/list.ts',
  'custom_audiences.targeted': 'the campaigns of line items that target one audience',
};

/** Kinds of entity that a list is of, where the family of the list stores none. */
const OF_OTHERS: Readonly<Record<string, string>> = { tailored_audience_permissions: 'custom_audience_permissions' };

/** Every list of the contract that reads rows of an account in an order. */
export function listCases(): readonly ListCase[] {
  const stored: Readonly<Record<string, { readonly entities?: readonly Entity[]; readonly handlers?: unknown }>> =
    families;
  return allOperations.flatMap((operation: Operation) => {
    if (operation.kind !== 'ads' || operation.envelope !== 'list' || operation.id in OTHER_LISTS) return [];
    const family = operation.id.slice(0, operation.id.indexOf('.'));
    const [entity] = stored[OF_OTHERS[family] ?? family]?.entities ?? [];
    if (!entity) return [];
    const sort = operation.params.shape['sort_by'];
    const orders = (sort && wireTypeOf(sort)?.item?.values) ?? NEWEST_FIRST;
    return [{ id: operation.id, entity, orders }];
  });
}

/** Queries of a kind of entity whose statements do as much work as given. */
export function queriesOf(entity: Entity, bounds: ListBounds): EntityQueries<EntityTypes> {
  return new EntityQueries({ table: entity.table, filters: entity.filters, internal: [], key: [], bounds });
}

/** A row as the tests see it, by column. */
export type AnyRow = StoredRow & Readonly<Record<string, unknown>>;

const NAMES = ['Sale', 'sale 1', 'SALE 2', 'Ära', 'ära', 'Ara', 'B', 'b', 'z\u{1F600}', 'z\uFFFD', 'a'] as const;
const VALUES = ['v0', 'v1', 'v2'] as const;
const STATES = ['ACTIVE', 'PAUSED', 'DRAFT'] as const;

/** Rows of a kind of entity with few different values, so that there are ties, hidden ones and drafts. */
export function rowsOf({ table, filters }: Entity, size: number): fc.Arbitrary<readonly AnyRow[]> {
  const columns = Object.entries<SQLiteColumn>(getTableColumns<SQLiteTable>(table));
  const grouped = new Set(Object.entries(filters).flatMap(([name, filter]) => filter(name).by?.column.name ?? []));
  const values = columns.map(([name, column]) => [name, valueOfColumn(name, column, grouped.has(name))] as const);
  return fc
    .array(fc.record(Object.fromEntries(values)), { minLength: Math.floor(size / 2), maxLength: size, size: 'max' })
    .map((rows) =>
      rows.map((row, index): AnyRow => {
        const id = `i${index}`;
        const name = row['name'];
        return {
          ...row,
          account_id: 'a',
          id,
          seq: BigInt(index + 1),
          created_at: String(row['created_at']),
          updated_at: String(row['updated_at']),
          deleted: row['deleted'] === true,
          ...(table.parent_deleted ? { parent_deleted: row['parent_deleted'] === true } : {}),
          ...('card_uri' in row ? { card_uri: `card://${index}` } : {}),
          ...(typeof name === 'string'
            ? { name_folded: foldName(name), name_collated: collatedName(name) }
            : 'name' in row
              ? { name_folded: null }
              : {}),
        };
      }),
    );
}

function valueOfColumn(name: string, column: SQLiteColumn, grouped: boolean): fc.Arbitrary<unknown> {
  const value = (): fc.Arbitrary<unknown> => {
    if (name === 'entity_status') return fc.constantFrom(...STATES);
    if (name === 'name') return fc.constantFrom(...NAMES);
    if (name === 'created_at' || name === 'updated_at')
      return fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03');
    if (typeof column.mapFromDriverValue(1n as never) === 'boolean') return fc.boolean();
    if (column.getSQLType() !== 'text')
      return fc
        .constantFrom(0n, 1n, 5n, 2n ** 60n)
        .map((number) =>
          column.columnType === 'SQLiteCustomColumn' && typeof column.mapFromDriverValue(1n as never) === 'number'
            ? Number(number % 7n)
            : number,
        );
    if (isJson(column)) return fc.constant([]);
    return fc.constantFrom(...VALUES);
  };
  if (grouped && column.getSQLType() === 'text' && name !== 'entity_status' && name !== 'name_folded') {
    return fc.constantFrom(...VALUES);
  }
  return column.notNull ? value() : fc.option(value(), { freq: 2 });
}

function isJson(column: SQLiteColumn): boolean {
  return column.mapToDriverValue([] as never) === '[]';
}

/** A filter that most requests leave out: together they leave out most rows. */
function mostly(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

/** Random parameters of a list. */
export function paramsOf({
  entity: { filters, table },
  orders,
}: ListCase): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const given = Object.entries(filters).map(([name, filter]) => [name, mostly(valueFor(filter(name)))] as const);
  const sorted = fc.uniqueArray(fc.constantFrom(...orders), { minLength: 1, maxLength: 3 });
  return fc
    .record({
      ...Object.fromEntries(given),
      with_deleted: fc.boolean(),
      sort_by: fc.option(
        fc.oneof({ weight: 1, arbitrary: sorted.map((all) => all.slice(0, 1)) }, { weight: 2, arbitrary: sorted }),
        { nil: undefined },
      ),
      count: fc.integer({ min: 1, max: 7 }),
    })
    .map((params) => ({ ...params, table: getTableName(table) }));
}

function valueFor({ by, bind }: Condition<never>): fc.Arbitrary<unknown> {
  if (by?.way === 'drafts') return fc.boolean();
  if (by?.way === 'prefix') return fc.constantFrom('s', 'SALE', 'sale 1', 'ä', 'b', 'none');
  const { column } = by ?? {};
  if (column && typeof column.mapFromDriverValue(1n as never) === 'boolean') return fc.boolean();
  const ids = fc.integer({ min: 0, max: 12 });
  const value =
    column?.name === 'id'
      ? ids.map((index) => `i${index}`)
      : column?.name === 'card_uri'
        ? ids.map((index) => `card://${index}`)
        : fc.constantFrom(...VALUES, 'none');
  // A condition by one value takes it as it is.
  return takesOne({ bind }) ? value : fc.uniqueArray(value, { minLength: 1, maxLength: 4 });
}

/** Returns whether a condition takes one value, not several. */
export function takesOne({ bind }: Pick<Condition<never>, 'bind'>): boolean {
  return Object.values(bind([] as never)).some((argument) => typeof argument !== 'string');
}

/** The rows that a list answers with, found by looking at each row. */
export function expectedRows(
  { entity: { filters, table } }: ListCase,
  rows: readonly AnyRow[],
  params: Readonly<Record<string, unknown>>,
): readonly AnyRow[] {
  const shown = rows.filter((row) => {
    if (params['with_deleted'] !== true && (row.deleted || row.parent_deleted)) return false;
    return Object.entries(filters).every(([name, filter]) => {
      const { by, values } = filter(name);
      const given = params[name];
      if (by?.way === 'drafts') return given === true || row['entity_status'] !== 'DRAFT';
      if (given === undefined || !by) return true;
      const cell = row[by.column.name];
      if (by.way === 'prefix') return typeof cell === 'string' && cell.startsWith(foldName(String(given)));
      const wanted = values?.(given as never) ?? [];
      return wanted.includes(typeof cell === 'boolean' ? (cell ? 1n : 0n) : (cell as string));
    });
  });
  const sort_by = Array.isArray(params['sort_by']) ? params['sort_by'].map(String) : NEWEST_FIRST;
  return shown.sort(comparer(orderOf(table, sort_by)));
}

/** The parameters of a page. */
export function pageQuery(params: Readonly<Record<string, unknown>>, more: Partial<ListQuery>): ListQuery {
  return { count: 200, with_deleted: false, with_total_count: false, ...params, ...more };
}
