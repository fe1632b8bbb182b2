import { count, eq, gt, max, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { flag, int, long, words } from './columns.ts';
import type { Database, Writer } from './database.ts';
import { openDatabase } from './open-database.ts';
import { query } from './query-builder.ts';
import type { ScopedWriter } from './scoped-writer.ts';
import { rows, statement, type WriteStatement } from './statement.ts';
import { temporaryDirectory } from './testing/temporary.ts';
import { among, orNull, types } from './value-types.ts';

const birds = sqliteTable('birds', {
  id: long('id').primaryKey(),
  name: text('name').notNull(),
  size: int('size').notNull().default(3),
  ring: long('ring'),
  rare: flag('rare').notNull(),
  colours: words<'red' | 'blue'>('colours').notNull(),
  weight: integer('weight'),
  known: integer('known', { mode: 'boolean' }).notNull().default(true),
});
const nests = sqliteTable('nests', { bird_id: long('bird_id').notNull(), tree: text('tree').notNull() });

const addBird = statement(
  {
    id: birds.id,
    name: birds.name,
    size: birds.size,
    ring: birds.ring,
    rare: birds.rare,
    colours: birds.colours,
    weight: birds.weight,
  },
  (bird) => query.insert(birds).values(bird),
);
const findBird = statement({ id: birds.id }, ({ id }) => query.select().from(birds).where(eq(birds.id, id)).limit(1));
const addNest = statement({ bird_id: nests.bird_id, tree: nests.tree }, (nest) => query.insert(nests).values(nest));

const large = 2n ** 62n + 1n;
let database: Database;

beforeEach(async () => {
  database = await openDatabase(`${temporaryDirectory()}/birds.db`);
  await database.applyMigration([
    {
      sql: `CREATE TABLE birds (id integer PRIMARY KEY, name text NOT NULL UNIQUE, size integer NOT NULL DEFAULT 3, ring integer,
        rare integer NOT NULL, colours text NOT NULL, weight integer, known integer NOT NULL DEFAULT 1)`,
    },
    { sql: 'CREATE TABLE nests (bird_id integer NOT NULL, tree text NOT NULL)' },
  ]);
  await database.write(async (writer) => {
    await addBird.run(writer, {
      id: 1n,
      name: "wren's",
      size: 1,
      ring: large,
      rare: true,
      colours: ['red', 'blue'],
      weight: 9,
    });
    await addBird.run(writer, { id: 2n, name: 'crow', size: 40, ring: null, rare: false, colours: [], weight: null });
    await addNest.run(writer, { bird_id: 1n, tree: 'oak' });
  });
  return () => database.close();
});

describe('a statement', () => {
  test('gives rows with the names, types and values of its columns', async () => {
    const wren = await findBird.first(database, { id: 1n });
    expectTypeOf(wren).toEqualTypeOf<typeof birds.$inferSelect | undefined>();
    expect(wren).toEqual({
      id: 1n,
      name: "wren's",
      size: 1,
      ring: large,
      rare: true,
      colours: ['red', 'blue'],
      weight: 9,
      known: true,
    });
    expect(await findBird.first(database, { id: 2n })).toMatchObject({ ring: null, rare: false, weight: null });
    expect(await findBird.first(database, { id: 3n })).toBeUndefined();
  });

  test('types its arguments by the columns that they stand for', () => {
    expectTypeOf(findBird.first).parameter(1).toEqualTypeOf<{ readonly id: bigint }>();
    expectTypeOf(addBird.run)
      .parameter(1)
      .toExtend<{ readonly ring: bigint | null; readonly colours: ('red' | 'blue')[] }>();
    // @ts-expect-error: a statement that writes has no rows to give
    expect(addBird.all).toBeDefined();
  });

  test('keeps the nullability of an outer join and groups members', async () => {
    const housed = statement({}, () =>
      query
        .select({ name: birds.name, facts: { size: birds.size, rare: birds.rare }, tree: nests.tree })
        .from(birds)
        .leftJoin(nests, eq(nests.bird_id, birds.id))
        .orderBy(birds.id),
    );
    const found = await housed.all(database);
    expectTypeOf(found[0]?.tree).toEqualTypeOf<string | null | undefined>();
    expect(found).toEqual([
      { name: "wren's", facts: { size: 1, rare: true }, tree: 'oak' },
      { name: 'crow', facts: { size: 40, rare: false }, tree: null },
    ]);
  });

  test('reads expressions as the types that they name', async () => {
    const sums = statement({ above: birds.size }, ({ above }) =>
      query
        .select({ n: count(), largest: max(birds.ring), first: sql`min(${birds.name})`.mapWith(orNull(types.text)) })
        .from(birds)
        .where(gt(birds.size, above)),
    );
    const [all] = await sums.all(database, { above: 0 });
    expectTypeOf(all).toEqualTypeOf<{ n: number; largest: bigint | null; first: string | null } | undefined>();
    expect(all).toEqual({ n: 2, largest: large, first: 'crow' });
    expect(await sums.all(database, { above: 100 })).toEqual([{ n: 0, largest: null, first: null }]);
  });

  test('rejects an expression without a decoder, because the driver gives 64-bit integers', async () => {
    const unread = statement({}, () => query.select({ n: sql<number>`count(*)` }).from(birds));
    await expect(async () => unread.all(database)).rejects.toThrow(
      'the expression n does not say how it is read: add mapWith',
    );
  });

  test('reads what a template selects under the names of its fields', async () => {
    const wanted = statement({ ids: types.longs }, ({ ids }) =>
      rows(
        { id: birds.id, more: { heavy: sql`${birds.weight} > 5`.mapWith(types.flag), ring: birds.ring } },
        (columns) =>
          sql`SELECT ${columns} FROM json_each(${ids}) AS wanted CROSS JOIN ${birds} ON ${birds.id} = wanted.value`,
      ),
    );
    const found = await wanted.all(database, { ids: [large, 1n] });
    expectTypeOf(found).toEqualTypeOf<{ id: bigint; more: { heavy: boolean; ring: bigint | null } }[]>();
    expect(found).toEqual([{ id: 1n, more: { heavy: true, ring: large } }]);
  });

  test('takes a list as one argument', async () => {
    const named = statement({ names: types.texts }, ({ names }) =>
      query.select({ id: birds.id }).from(birds).where(among(birds.name, names)).orderBy(birds.id),
    );
    expect(await named.all(database, { names: ['crow', "wren's", 'nobody'] })).toEqual([{ id: 1n }, { id: 2n }]);
  });

  test('counts what it changes, and gives what it returns', async () => {
    const grow = statement({ by: types.int }, ({ by }) =>
      query.update(birds).set({ size: sql`${birds.size} + ${by}` }),
    );
    const rename = statement({ id: birds.id, name: birds.name }, ({ id, name }) =>
      query.update(birds).set({ name }).where(eq(birds.id, id)).returning({ id: birds.id, size: birds.size }),
    );
    const raw = statement(
      { id: birds.id },
      ({ id }) => sql`UPDATE ${birds} SET size = size - 1 WHERE ${birds.id} = ${id}`,
    );
    const undone = new Error('undone');
    await expect(
      database.write(async (writer) => {
        expect(await grow.run(writer, { by: 1 })).toBe(2);
        expect(await raw.run(writer, { id: 1n })).toBe(1);
        const renamed = await rename.first(writer, { id: 1n, name: 'tit' });
        expectTypeOf(renamed).toEqualTypeOf<{ id: bigint; size: number } | undefined>();
        expect(renamed).toEqual({ id: 1n, size: 1 });
        expect(await rename.run(writer, { id: 7n, name: 'finch' })).toBe(0);
        throw undone;
      }),
    ).rejects.toBe(undone);
  });

  test('cannot write through a reader', () => {
    // @ts-expect-error: a reader is not a writer
    void (() => addNest.run(database, { bird_id: 1n, tree: 'elm' }));
  });

  test('that says which row it touches takes the writer of its scope only', () => {
    const eggs = sqliteTable('eggs', { account_id: text('account_id').notNull(), id: text('id').notNull() });
    const touches = ({ id }: { readonly id: string }) => id;
    const values = { account_id: 'a', id: 'b' };
    const { account_id, id } = eggs;
    const lay = statement({ account_id, id }, (egg) => query.insert(eggs).values(egg), touches);
    const byTable = statement({ id }, (args) => query.delete(eggs).where(eq(id, args.id)), touches);
    const byArgument = statement(
      { account_id, id },
      (args) => sql`DELETE FROM "eggs" WHERE "account_id" = ${args.account_id} AND "id" = ${args.id}`,
      touches,
    );
    const ofPlatform = statement(
      { id: birds.name },
      (args) => query.delete(birds).where(eq(birds.name, args.id)),
      touches,
    );
    const untold = statement({ account_id, id }, (egg) => query.insert(eggs).values(egg));
    void ((writer: Writer, scoped: ScopedWriter) => {
      // @ts-expect-error: an account's row is touched in the scope of the account
      void lay.run(writer, values);
      void lay.run(scoped, values);
      // @ts-expect-error: the table has an account_id, whatever the arguments are
      void byTable.run(writer, values);
      void byTable.run(scoped, values);
      // @ts-expect-error: an argument account_id says the same of a template
      void byArgument.run(writer, values);
      void byArgument.run(scoped, values);
      // @ts-expect-error: a row of the platform is in no account's scope
      void ofPlatform.run(scoped, { id: 'wren' });
      void ofPlatform.run(writer, { id: 'wren' });
      // All rows of the table are touched, in any scope.
      void untold.run(writer, values);
      void untold.run(scoped, values);
      // @ts-expect-error: nor is it a statement for any writer
      const any: WriteStatement<typeof values> = lay;
      return any;
    });
  });

  test('reads a first row only where the statement says that there is one', async () => {
    const every = statement({}, () => query.select({ id: birds.id }).from(birds));
    await expect(async () => every.first(database)).rejects.toThrow('ends with a literal LIMIT 1');
  });

  test('uses each argument that it declares, and no other', async () => {
    const unused = statement({ id: birds.id, name: birds.name }, ({ id }) =>
      query.select({ id: birds.id }).from(birds).where(eq(birds.id, id)),
    );
    await expect(async () => unused.all(database, { id: 1n, name: 'wren' })).rejects.toThrow(
      'the argument name is not in the statement',
    );
    const undeclared = statement({}, () => query.select({ id: birds.id }).from(birds).limit(sql.placeholder('many')));
    await expect(async () => undeclared.all(database)).rejects.toThrow('the statement has no argument many');
  });

  test('binds a dynamic limit by its placeholder', async () => {
    const few = statement({ many: types.int }, ({ many }) =>
      query.select({ id: birds.id }).from(birds).orderBy(birds.id).limit(many.placeholder),
    );
    expect(await few.all(database, { many: 1 })).toEqual([{ id: 1n }]);
  });

  test('writes constants into its text, quoted', async () => {
    const constant = statement({}, () =>
      query
        .select({ id: birds.id })
        .from(birds)
        .where(sql`${birds.name} = ${"wren's"} AND ${birds.ring} = ${large}`)
        .limit(1),
    );
    expect(await constant.first(database)).toEqual({ id: 1n });
    const nul = statement({}, () => query.select({ id: birds.id }).from(birds).where(eq(birds.name, 'a\0b')));
    await expect(async () => nul.all(database)).rejects.toThrow('a statement cannot hold this constant');
  });
});
