/**
 * Counts of lists, kept by triggers in the transaction of the row, whoever writes it: see ADR 0018. The triggers follow from the
 * descriptions of entities, so they are made at start where they are missing, and the counts with them.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getTableName } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { Entity } from './entity.ts';
import { ListClasses } from './list-class.ts';
import { listIndexNames } from './list-indexes.ts';
import type { Progress } from './migrate.ts';

/** Up to twice as many rows are in one range of names. */
const NAMES_IN_RANGE = 512;
/** The beginning of the name of the trigger on ranges that have too many names. */
const FULL = 'list_names_full';

/** The counts of a table. */
interface Counted {
  readonly table: string;
  readonly classes: ListClasses;
  /** The columns of filters that find several rows. */
  readonly groups: readonly string[];
  /** The index on folded names, if there is one. */
  readonly byName: string | undefined;
  /** Half the number of rows at which a range of names is split. */
  readonly names: number;
}

function countedOf({ table, filters }: Entity, names: number): Counted {
  const conditions = Object.entries(filters).flatMap(([name, filter]) => filter(name).by ?? []);
  const { groups, orders } = listIndexNames(table);
  const own = conditions.flatMap(({ column, way }) => (way === 'values' && groups.has(column.name) ? column.name : []));
  return {
    table: getTableName(table),
    classes: new ListClasses(
      table,
      conditions.some(({ way }) => way === 'drafts'),
    ),
    groups: [...new Set(own)],
    byName: conditions.some(({ way }) => way === 'prefix') ? orders.get('name_folded') : undefined,
    names,
  };
}

/**
 * Makes the triggers that keep the counts of lists, and counts the rows of tables for which they are missing or of another
 * version.
 * @param entities kinds of entity that have lists; those without an account are left out
 * @param names half the number of rows at which a range of names is split
 * @param progress called before the rows of a table are counted; each table is a transaction of its own, and a small database one
 */
export async function keepListCounts(
  database: Database,
  entities: readonly Entity[],
  { names = NAMES_IN_RANGE, progress }: { readonly names?: number | undefined; readonly progress?: Progress } = {},
): Promise<void> {
  const found = await database.query("SELECT name FROM sqlite_master WHERE type = 'trigger'");
  const made = new Set(found.map(([name]) => String(name)));
  const full = announceFull(names);
  const works: Work[] = [];
  if (!made.has(full.name)) {
    const older = [...made].filter((name) => name.startsWith(FULL));
    works.push({ of: full.name, statements: [...older.map(dropping), creating(full)] });
  }
  for (const entity of entities) {
    if (!entity.table.account_id) continue;
    const { counted, wanted } = triggersFor(entity, names);
    if (wanted.every(({ name }) => made.has(name))) continue;
    const { table } = counted;
    const older = [...made].filter((name) => name.startsWith(`${table}_counted_`));
    const statements = [...older.map(dropping), ...recount(counted), ...wanted.map(creating)];
    works.push({ of: `counts of ${table}`, statements });
  }
  if (works.length === 0) return;
  // Of a new or small database the commits would take nearly all of the time.
  const isSmall = Number((await database.query('SELECT page_count FROM pragma_page_count'))[0]?.[0]) < SMALL;
  const joint = { of: 'counts of lists', statements: works.flatMap(({ statements }) => statements) };
  for (const { of, statements } of isSmall ? [joint] : works) {
    progress?.(of);
    await nextTurn();
    await database.applyMigration(statements.map((sql) => ({ sql })));
  }
}

/** What is made anew for a table, by its name for people. */
interface Work {
  readonly of: string;
  readonly statements: readonly string[];
}

/** Pages below which counting everything takes a second at most. */
const SMALL = 10_000;

/** Triggers that were made already: both environments have the same. */
const known = new WeakMap<Entity, { readonly counted: Counted; readonly wanted: readonly Trigger[] }>();

function triggersFor(entity: Entity, names: number) {
  const found = known.get(entity);
  if (found?.counted.names === names) return found;
  const counted = countedOf(entity, names);
  const made = { counted, wanted: triggersOf(counted) };
  known.set(entity, made);
  return made;
}

interface Trigger {
  readonly name: string;
  readonly text: string;
}

function creating({ name, text }: Trigger): string {
  return `CREATE TRIGGER IF NOT EXISTS "${name}" ${text}`;
}

function dropping(name: string): string {
  return `DROP TRIGGER IF EXISTS "${name}"`;
}

// No SQL function stands in a trigger, nor an upsert: either could fail halfway, as far as SQLite knows, and each statement that
// runs the trigger would then first copy every page that it changes. See ADR 0018.

function triggersOf(counted: Counted): readonly Trigger[] {
  const { table, classes, groups, byName } = counted;
  const named = byName !== undefined;
  const kinds = groups.map((group) => ({
    of: `'${group}'`,
    value: (row: string) => `CAST(${row}."${group}" AS TEXT)`,
  }));
  const all = [{ of: "''", value: () => "''" }, ...kinds];
  const added = [
    ...all.map(({ of, value }) => rowAdded(table, classes, of, value('NEW'))),
    ...(named ? [nameAdded(table, classes)] : []),
  ].join('\n');
  const removed = [
    ...all.map(
      ({ of, value }) =>
        `UPDATE "list_counts" SET "count" = "count" - 1 WHERE ${countOf(table, classes, of, value('OLD'), 'OLD')};`,
    ),
    ...(named ? [nameRemoved(table, classes)] : []),
  ].join('\n');
  const columns = [...classes.columns, ...groups, ...(named ? ['name_folded'] : [])];
  const changed = columns.map((name) => `OLD."${name}" IS NOT NEW."${name}"`).join(' OR ');
  const texts = {
    insert: `AFTER INSERT ON "${table}" BEGIN\n${added}\nEND`,
    delete: `AFTER DELETE ON "${table}" BEGIN\n${removed}\nEND`,
    update: `AFTER UPDATE OF ${columns.map((name) => `"${name}"`).join(', ')} ON "${table}" WHEN ${changed} BEGIN\n${removed}\n${added}\nEND`,
    ...(byName === undefined ? {} : { split: splitRange(counted, byName) }),
  };
  const whole = Object.values(texts).join('\n');
  return Object.entries(texts).map(([kind, text]) => versioned(`${table}_counted_${kind}`, text, whole));
}

/** Names a trigger. The version is in the name: another text is another trigger. @param whole what the version is of */
function versioned(prefix: string, text: string, whole = text): Trigger {
  const version = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return { name: `${prefix}_${version}`, text };
}

/** The count of a row's class and value. */
function countOf(table: string, classes: ListClasses, of: string, value: string, row: 'NEW' | 'OLD'): string {
  return `"account_id" = ${row}."account_id" AND "list" = '${table}' AND "of" = ${of} AND "value" = ${value}
    AND "class" = ${classes.text(`${row}.`)}`;
}

function rowAdded(table: string, classes: ListClasses, of: string, value: string): string {
  const own = countOf(table, classes, of, value, 'NEW');
  return `INSERT INTO "list_counts" SELECT NEW."account_id", '${table}', ${of}, ${value}, ${classes.text('NEW.')}, 0
      WHERE NOT EXISTS (SELECT 1 FROM "list_counts" WHERE ${own});
    UPDATE "list_counts" SET "count" = "count" + 1 WHERE ${own};`;
}

/** The ranges of names of a row's class. */
function rangesOf(table: string, classes: ListClasses, row: 'NEW' | 'OLD'): string {
  return `"account_id" = ${row}."account_id" AND "list" = '${table}' AND "class" = ${classes.text(`${row}.`)}`;
}

/** The range that has the name of a row. */
function rangeOf(table: string, classes: ListClasses, row: 'NEW' | 'OLD'): string {
  const ranges = rangesOf(table, classes, row);
  return `${ranges} AND "first" = (SELECT max("first") FROM "list_names" WHERE ${ranges} AND "first" <= ${row}."name_folded")`;
}

/** Adds a name to its range. The first range of all begins with the empty text, before every name. */
function nameAdded(table: string, classes: ListClasses): string {
  return `INSERT INTO "list_names" SELECT NEW."account_id", '${table}', ${classes.text('NEW.')}, '', NEW."name_folded", 0
      WHERE NEW."name_folded" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "list_names" WHERE ${rangesOf(table, classes, 'NEW')});
    UPDATE "list_names" SET "count" = "count" + 1,
        "last" = CASE WHEN "last" < NEW."name_folded" THEN NEW."name_folded" ELSE "last" END
      WHERE ${rangeOf(table, classes, 'NEW')};`;
}

/**
 * Announces a range that has too many names by an update of its `list`, which changes nothing and which only the trigger of
 * that list looks at. Without it each write of a name would look at the triggers of all lists.
 */
function announceFull(names: number): Trigger {
  const text = `AFTER UPDATE OF "count" ON "list_names"
    WHEN NEW."count" > ${2 * names} AND NEW."count" > OLD."count" AND NEW."first" < NEW."last" BEGIN
    UPDATE "list_names" SET "list" = "list" WHERE "account_id" = NEW."account_id" AND "list" = NEW."list"
      AND "class" = NEW."class" AND "first" = NEW."first";
    END`;
  return versioned(FULL, text);
}

/** Splits a range that has too many names at its middle or, where its first name is there too, behind that name. */
function splitRange({ table, classes, names }: Counted, index: string): string {
  // The class without the type of its column, which the index on an expression does not have.
  const rows = `FROM "${table}" INDEXED BY "${index}" WHERE "account_id" = NEW."account_id" AND ${classes.text()} = +NEW."class"`;
  const range = `"account_id" = NEW."account_id" AND "list" = '${table}' AND "class" = NEW."class"`;
  const next = (column: string) =>
    `(SELECT "${column}" FROM "list_names" WHERE ${range} AND "first" > NEW."first" ORDER BY "first" LIMIT 1)`;
  return `AFTER UPDATE OF "list" ON "list_names" WHEN NEW."list" = '${table}' BEGIN
    INSERT INTO "list_names" SELECT NEW."account_id", '${table}', NEW."class", "cut"."name", NEW."last",
        (SELECT count(*) ${rows} AND "name_folded" >= "cut"."name" AND "name_folded" <= NEW."last")
      FROM (SELECT coalesce(
          (SELECT "middle"."name" FROM (SELECT "name_folded" AS "name" ${rows} AND "name_folded" >= NEW."first"
            ORDER BY "name_folded" LIMIT 1 OFFSET ${names}) AS "middle" WHERE "middle"."name" <> NEW."first"),
          (SELECT "name_folded" ${rows} AND "name_folded" > NEW."first" ORDER BY "name_folded" LIMIT 1)) AS "name") AS "cut"
      WHERE "cut"."name" <= NEW."last";
    UPDATE "list_names" SET "count" = "count" - ${next('count')}, "last" = coalesce((SELECT "name_folded" ${rows}
        AND "name_folded" < ${next('first')} ORDER BY "name_folded" DESC LIMIT 1), "first")
      WHERE ${range} AND "first" = NEW."first" AND "last" >= ${next('first')};
    END`;
}

function nameRemoved(table: string, classes: ListClasses): string {
  return `UPDATE "list_names" SET "count" = "count" - 1 WHERE ${rangeOf(table, classes, 'OLD')};`;
}

/** A SELECT of the counts of rows, in the order of the columns of `list_counts`. */
function countsBy({ table, classes }: Counted, of: string, value: string, column = ''): string {
  // Grouped by columns as indexes have them, so that nothing is sorted.
  return `SELECT "account_id", '${table}', '${of}', ${value}, ${classes.text()}, count(*)
      FROM "${table}" WHERE true GROUP BY "account_id", ${column}${classes.text()}`;
}

function allCounts(counted: Counted): readonly string[] {
  return [
    countsBy(counted, '', "''"),
    ...counted.groups.map((group) => countsBy(counted, group, `CAST("${group}" AS TEXT)`, `"${group}", `)),
  ];
}

/** Statements that count the rows of a table anew. */
function recount(counted: Counted): readonly string[] {
  const { table, classes, byName, names } = counted;
  return [
    `DELETE FROM "list_counts" WHERE "list" = '${table}'`,
    `DELETE FROM "list_names" WHERE "list" = '${table}'`,
    ...allCounts(counted).map((select) => `INSERT INTO "list_counts" ${select}`),
    ...(byName === undefined
      ? []
      : [
          // Equal names have one rank, and so are in one range.
          `INSERT INTO "list_names" SELECT "account_id", '${table}', "class", iif("range" = 0, '', min("name")), max("name"), count(*)
            FROM (SELECT "account_id", ${classes.text()} AS "class", "name_folded" AS "name",
                (rank() OVER (PARTITION BY "account_id", ${classes.text()} ORDER BY "name_folded") - 1) / ${names} AS "range"
              FROM "${table}" WHERE "name_folded" IS NOT NULL)
            GROUP BY "account_id", "class", "range"`,
        ]),
  ];
}

/** Counts of lists that are not what the rows say. */
export interface WrongCounts {
  readonly table: string;
  readonly account_id: string;
  /** Statements that count the whole table anew. */
  readonly repair: readonly string[];
}

/** Compares the counts of lists with the rows, each account and table once. Reads all rows. */
export async function findWrongCounts(
  database: Pick<Database, 'query'>,
  entities: readonly Entity[],
): Promise<readonly WrongCounts[]> {
  const found: WrongCounts[] = [];
  for (const entity of entities) {
    if (!entity.table.account_id) continue;
    const { counted } = triggersFor(entity, NAMES_IN_RANGE);
    const { table, byName, classes } = counted;
    const real = allCounts(counted).join(' UNION ALL ');
    const kept = `SELECT "account_id", "list", "of", "value", "class", "count" FROM "list_counts" WHERE "list" = '${table}' AND "count" <> 0`;
    // The sum of the ranges of names: each range begins where the one before ends.
    const named = `SELECT "account_id", ${classes.text()} AS "class", count(*) AS "count" FROM "${table}"
      WHERE "name_folded" IS NOT NULL GROUP BY "account_id", ${classes.text()}`;
    const ranges = `SELECT "account_id", "class", sum("count") AS "count" FROM "list_names" WHERE "list" = '${table}'
      GROUP BY "account_id", "class" HAVING sum("count") <> 0`;
    const accounts = await database.query(
      `SELECT DISTINCT "account_id" FROM (
        SELECT * FROM (SELECT * FROM (${real}) EXCEPT ${kept})
        UNION ALL SELECT * FROM (${kept} EXCEPT SELECT * FROM (${real}))
        ${
          byName === undefined
            ? ''
            : `UNION ALL SELECT "account_id", 1, 1, 1, 1, 1 FROM (SELECT * FROM (${named}) EXCEPT ${ranges})
        UNION ALL SELECT "account_id", 1, 1, 1, 1, 1 FROM (SELECT * FROM (${ranges}) EXCEPT ${named})`
        }
      ) LIMIT 100`,
    );
    for (const [account_id] of accounts)
      found.push({ table, account_id: String(account_id), repair: recount(counted) });
  }
  return found;
}
