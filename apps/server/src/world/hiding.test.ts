/** Behaviour derived from the description of a kind of entity, shown on kinds that exist here only. */
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import { and, eq } from 'drizzle-orm';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { accountKey, childColumns, systemColumns } from '../db/columns.ts';
import type { Database } from '../db/database.ts';
import { defineEntity } from '../db/entity.ts';
import { EntityRegistry } from '../db/entity-registry.ts';
import { isOneOf } from '../db/filters.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { packageFile } from '../package-file.ts';
import { AdsStore } from './ads-store.ts';
import { ManualClock } from './clock.ts';
import { SeededRandom } from './random.ts';

const forests = sqliteTable('forests', { ...systemColumns(), name: text('name').notNull() }, (table) => [
  accountKey(table),
]);
const trees = sqliteTable(
  'trees',
  { ...childColumns(), forest_id: text('forest_id').notNull(), shade: text('shade').notNull() },
  (table) => [accountKey(table), index('trees_by_forest').on(table.account_id, table.forest_id)],
);
const leaves = sqliteTable('leaves', { ...childColumns(), tree_id: text('tree_id').notNull() }, (table) => [
  accountKey(table),
]);

const forest = defineEntity({
  name: 'FOREST',
  table: forests,
  missing: { error: 'NOT_FOUND', parameter: 'forest_id' },
});
const tree = defineEntity({
  name: 'TREE',
  table: trees,
  parent: { entity: forest, column: trees.forest_id },
  missing: { error: 'NOT_FOUND', parameter: 'tree_id', message: (id) => `There is no tree ${id}` },
  filters: { forest_ids: isOneOf(trees.forest_id) },
  derived: { shade: 'none' },
  key: ['forest_id'],
});
const leaf = defineEntity({
  name: 'LEAF',
  table: leaves,
  parent: { entity: tree, column: leaves.tree_id },
  missing: { error: 'NOT_FOUND', parameter: 'leaf_id' },
});

const system = '"account_id" text, "id" text, "seq" integer, "created_at" text, "updated_at" text, "deleted" integer';
const actor = { user_id: '7', platform: 'API_OTHER' } as const;
const page = { count: 10, with_deleted: false, with_total_count: false };

let database: Database;
let ads: AdsStore;

beforeEach(async () => {
  database = await openDatabase(path.join(temporaryDirectory(), 'ads.db'));
  await migrate(database, packageFile('drizzle/ads'), new Date(0));
  await database.applyMigration([
    { sql: `CREATE TABLE "forests" (${system}, "name" text)` },
    { sql: `CREATE TABLE "trees" (${system}, "parent_deleted" integer, "forest_id" text, "shade" text)` },
    { sql: `CREATE TABLE "leaves" (${system}, "parent_deleted" integer, "tree_id" text)` },
  ]);
  ads = new AdsStore({
    database,
    clock: new ManualClock(Date.UTC(2026, 0, 1)),
    random: new SeededRandom('forest'),
    // The order of registration does not matter.
    entities: new EntityRegistry([leaf, tree, forest]),
    furnish: async () => {},
    cache: true,
  });
});

afterEach(() => database.close());

/** Two forests with a tree each, and a leaf on each tree. */
async function plant(account = ads.account('mine')) {
  return account.write(actor, async (writer) => {
    const made = [];
    for (const name of ['old', 'new']) {
      const { id: forest_id } = await writer.of(forest).insert({ name });
      const { id: tree_id } = await writer.of(tree).insert({ forest_id });
      made.push({ forest_id, tree_id, leaf_id: (await writer.of(leaf).insert({ tree_id })).id });
    }
    const [old, young] = made;
    if (!old || !young) throw new TypeError('nothing grew');
    return { account, old, young };
  });
}

describe('hiding', () => {
  test('deleting an entity hides its descendants, on every level, and nothing else', async () => {
    const { account, old, young } = await plant();
    const elsewhere = await plant(ads.account('theirs'));
    await account.write(actor, (writer) => writer.of(forest).remove(rejectWithAny, old.forest_id));
    expect((await account.of(tree).list(page)).data.map(({ id }) => id)).toEqual([young.tree_id]);
    expect((await account.of(leaf).list(page)).data.map(({ id }) => id)).toEqual([young.leaf_id]);
    await expect(async () => account.of(leaf).find(rejectWithAny, old.leaf_id)).rejects.toMatchObject({
      issues: [{ error: 'NOT_FOUND' }],
    });
    // Its own state does not change.
    expect(await account.of(leaf).find(rejectWithAny, old.leaf_id, true)).toMatchObject({
      deleted: false,
      parent_deleted: true,
    });
    expect((await account.of(tree).list({ ...page, with_deleted: true })).data).toHaveLength(2);
    expect((await elsewhere.account.of(leaf).list(page)).data).toHaveLength(2);
  });

  test('deleting in the middle hides what is below and leaves what is above', async () => {
    const { account, old } = await plant();
    await account.write(actor, (writer) => writer.of(tree).remove(rejectWithAny, old.tree_id));
    expect((await account.of(forest).list(page)).data).toHaveLength(2);
    expect(await account.of(leaf).get(old.leaf_id)).toMatchObject({ parent_deleted: true });
  });
});

describe('purging', () => {
  test('removes the entity for good, hides its descendants, and keeps the record of it', async () => {
    const { account, old, young } = await plant();
    const gone = await account.write(actor, async (writer) => {
      const before = await writer.of(tree).find(rejectWithAny, old.tree_id);
      return writer.of(tree).purge(before, { shade: 'none at all' });
    });
    expect(gone).toMatchObject({ id: old.tree_id, deleted: true, shade: 'none at all' });
    expect(await account.of(tree).get(old.tree_id)).toBeUndefined();
    const all = { ...page, with_deleted: true };
    expect((await account.of(tree).list(all)).data.map(({ id }) => id)).toEqual([young.tree_id]);
    expect(await account.of(leaf).get(old.leaf_id)).toMatchObject({ deleted: false, parent_deleted: true });
    expect(await account.of(leaf).get(young.leaf_id)).toMatchObject({ parent_deleted: false });
    const rows = await database.query(
      'SELECT "change_type", "entity_data" FROM "change_log" WHERE "entity_id" = ? ORDER BY "seq"',
      [old.tree_id],
    );
    expect(rows.map(([type]) => type)).toEqual(['CREATE', 'DELETE']);
    expect(JSON.parse(String(rows[1]?.[1]))).toMatchObject({ id: old.tree_id, deleted: true });
  });

  test('does not reach the entity of another account', async () => {
    const [mine, theirs] = [await plant(), await plant(ads.account('theirs'))];
    const row = await theirs.account.of(tree).find(rejectWithAny, theirs.old.tree_id);
    await mine.account.write(actor, (writer) => writer.of(tree).purge({ ...row, account_id: 'mine' }));
    expect(await theirs.account.of(tree).get(theirs.old.tree_id)).toBeDefined();
  });
});

describe('the change log', () => {
  test('has the name of the kind, and the entity without the columns that only serve queries', async () => {
    const { account, old } = await plant();
    await account.write(actor, (writer) => writer.of(tree).derive(old.tree_id, { shade: 'deep' }));
    await account.write(actor, (writer) => writer.of(tree).remove(rejectWithAny, old.tree_id));
    const rows = await database.query(
      'SELECT "entity", "change_type", "changes", "entity_data" FROM "change_log" WHERE "entity_id" = ? ORDER BY "seq"',
      [old.tree_id],
    );
    // Neither deriving nor hiding is a change of an entity.
    expect(rows.map(([entity, type]) => [entity, type])).toEqual([
      ['TREE', 'CREATE'],
      ['TREE', 'DELETE'],
    ]);
    expect(Object.keys(JSON.parse(String(rows[1]?.[2])))).toEqual(['deleted']);
    expect(Object.keys(JSON.parse(String(rows[0]?.[3]))).sort()).toEqual([
      'account_id',
      'created_at',
      'deleted',
      'forest_id',
      'id',
      'updated_at',
    ]);
  });
});

describe('isolation', () => {
  const { account_id, id, forest_id } = trees;
  const named = statement({ account_id, forest_id }, (args) =>
    query
      .select({ id })
      .from(trees)
      .where(and(eq(account_id, args.account_id), eq(forest_id, args.forest_id))),
  );

  test('a statement of a family reads in the account of the handle, whatever it is given', async () => {
    const [mine, theirs] = [await plant(), await plant(ads.account('theirs'))];
    const asked = { forest_id: theirs.old.forest_id, account_id: 'theirs' };
    expect(await mine.account.all(named, asked)).toEqual([]);
    expect(await theirs.account.all(named, asked)).toEqual([{ id: theirs.old.tree_id }]);
  });

  test('a statement that does not limit each of its tables to the account is rejected', async () => {
    const { account } = await plant();
    const loose = statement({ account_id }, (args) =>
      query
        .select({ id })
        .from(trees)
        .innerJoin(forests, eq(forests.id, forest_id))
        .where(eq(account_id, args.account_id)),
    );
    expect(() => account.all(loose)).toThrow('limits each of its tables by account_id');
  });

  test('no write reaches an entity of another account by its id', async () => {
    const [mine, theirs] = [await plant(), await plant(ads.account('theirs'))];
    const removed = mine.account.write(actor, (writer) =>
      writer.of(forest).remove(rejectWithAny, theirs.old.forest_id),
    );
    await expect(removed).rejects.toMatchObject({ issues: [{ error: 'NOT_FOUND' }] });
    await mine.account.write(actor, (writer) => writer.of(tree).derive(theirs.old.tree_id, { shade: 'stolen' }));
    expect(await theirs.account.of(tree).get(theirs.old.tree_id)).toMatchObject({ shade: 'none' });
  });
});

describe('a description', () => {
  test('types rows, parameters and changes', async () => {
    const { account, old } = await plant();
    expectTypeOf(account.of(forest).get('x')).resolves.toEqualTypeOf<typeof forests.$inferSelect | undefined>();
    expect((await account.of(tree).list({ ...page, forest_ids: [old.forest_id] })).data).toHaveLength(1);
    expect((await account.of(tree).existing({ forest_id: old.forest_id }))?.id).toBe(old.tree_id);
    // @ts-expect-error a parameter without a filter would be passed over in silence
    await account.of(forest).list({ ...page, forest_ids: [old.forest_id] });
    const change = (row: typeof forests.$inferSelect) =>
      // @ts-expect-error deleting hides descendants, so it is not a plain change
      account.write(actor, (writer) => writer.of(forest).update(row, { deleted: true }));
    expect(change).toBeTypeOf('function');
  });

  test('reports where to register an unregistered kind', () => {
    const stray = defineEntity({ name: 'STRAY', table: forests, missing: { error: 'NOT_FOUND', parameter: 'id' } });
    expect(() => ads.account('mine').of(stray)).toThrow('STRAY is not registered');
  });

  test('is rejected with a name or table that is taken, or a parent that is not registered', () => {
    const missing = { error: 'NOT_FOUND', parameter: 'id' } as const;
    expect(
      () =>
        new EntityRegistry([
          forest,
          defineEntity({ name: 'FOREST', table: trees, parent: { entity: forest, column: trees.forest_id }, missing }),
        ]),
    ).toThrow('the name FOREST');
    expect(() => new EntityRegistry([forest, defineEntity({ name: 'WOOD', table: forests, missing })])).toThrow(
      'the table forests',
    );
    expect(() => new EntityRegistry([tree])).toThrow('FOREST, which is not registered');
    expect(() => defineEntity({ name: 'ORPHAN', table: trees, missing })).toThrow('ORPHAN');
  });
});
