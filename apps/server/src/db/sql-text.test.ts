import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from './open-database.ts';
import { readSql, type SqlKind } from './sql-text.ts';
import { temporaryDirectory } from './testing/temporary.ts';

describe('the kind of a statement', () => {
  const cases: [string, SqlKind][] = [
    ['select 1', 'read'],
    [' \n-- INSERT\n/* UPDATE */ SELECT 1', 'read'],
    ['VALUES (1)', 'read'],
    ['EXPLAIN INSERT INTO t VALUES (1)', 'read'],
    ['WITH a AS (SELECT 1) SELECT * FROM a', 'read'],
    ['WITH RECURSIVE a(x) AS (VALUES (1) UNION SELECT x + 1 FROM a) INSERT INTO t SELECT x FROM a', 'write'],
    ['with a as materialized (select 1), b as (select 2) delete from t', 'write'],
    ['WITH a AS (SELECT 1) UPDATE t SET x = 1', 'write'],
    ['INSERT INTO t VALUES (1) RETURNING a', 'write'],
    ['REPLACE INTO t VALUES (1)', 'write'],
    ['delete from t', 'write'],
    ['BEGIN IMMEDIATE', 'control'],
    ['end', 'control'],
    ['SAVEPOINT "select"', 'control'],
    ['PRAGMA user_version', 'pragma'],
    ['CREATE TABLE t (a)', 'other'],
    ['VACUUM INTO ?', 'other'],
    ['', 'other'],
  ];
  it.each(cases)('%j is %s', (sql, kind) => {
    expect(readSql(sql).kind).toBe(kind);
  });
});

describe('the number of statements', () => {
  const trigger = 'CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; DELETE FROM c; END';
  const cases: [string, number][] = [
    ['', 0],
    [' ; -- nothing\n /* nothing', 0],
    ['SELECT 1', 1],
    ['SELECT 1; ; -- done', 1],
    [`SELECT ';', ";", [;], \`;\` /* ; */ -- ;`, 1],
    ["SELECT 'it''s; fine'", 1],
    ['SELECT 1; SELECT 2', 2],
    ['SELECT 1;\nx', 2],
    [trigger, 1],
    ['CREATE TABLE trigger_log (a); SELECT 1', 2],
    ['CREATE TABLE "a" (trigger); SELECT 1', 2],
  ];
  it.each(cases)('%j has %i', (sql, count) => {
    expect(readSql(sql).statements).toBe(count);
  });
});

describe('a query that gives at most one row', () => {
  const cases: [string, boolean][] = [
    ['SELECT a FROM t WHERE b = ? LIMIT 1', true],
    ['SELECT a FROM t limit 1 ;', true],
    ['SELECT a FROM t UNION SELECT 2 LIMIT 1 -- one', true],
    ['SELECT a FROM t', false],
    ['SELECT a FROM t LIMIT 10', false],
    ['SELECT a FROM t LIMIT 1 OFFSET 1', false],
    ['SELECT a FROM t LIMIT 5, 1', false],
    ['SELECT a FROM t LIMIT ?', false],
    ['SELECT a FROM (SELECT a FROM t LIMIT 1)', false],
    ['SELECT "LIMIT" 1', false],
    ['EXPLAIN SELECT 1 LIMIT 1', false],
    ['DELETE FROM t LIMIT 1', false],
  ];
  it.each(cases)('%j: %s', (sql, single) => {
    expect(readSql(sql).singleRow).toBe(single);
  });
});

describe('parameters', () => {
  it('keeps named ones in order, each once', () => {
    const facts = readSql('SELECT :b, @a, $c, :b');
    expect([...facts.named]).toEqual([
      [':b', 0],
      ['@a', 1],
      ['$c', 2],
    ]);
    expect(facts.parameterCount).toBe(3);
  });

  it('counts exactly as SQLite does, whatever surrounds them', async () => {
    const database = await openDatabase(join(temporaryDirectory(), 'test.db'));
    const expression = fc.oneof(
      fc.constantFrom(
        '?',
        '?',
        ':a',
        '@a',
        '$a',
        ':b1_$',
        '$a::b',
        '$a::b(c,?)',
        ':ü',
        '1',
        '.5',
        '1e5',
        '0x1F',
        "x'3f'",
      ),
      fc.integer({ min: 1, max: 40 }).map((n) => `?${n}`),
      fc.constantFrom(
        "'?'",
        `'it''s ? :a'`,
        '1 AS "?"',
        '1 -- ?\n',
        '1 /* ? ; :a */',
        '(SELECT ?)',
        "'--' || ?",
        "'[' || ?",
      ),
      fc.constantFrom(
        '? AS [a?b]',
        '? AS `:x`',
        "? ->> '$.a'",
        '?-?',
        '?--?\n',
        '-?',
        '?/?',
        'a1.b$c',
        '1 AS "it""s ?"',
      ),
      fc.string().map((text) => `'${text.replaceAll(/['\0]/g, "''")}'`),
    );
    const query = fc
      .array(expression, { minLength: 1, maxLength: 12 })
      .map((parts) => `SELECT ${parts.join(', ')} FROM (SELECT 1 AS b$c) AS a1`);
    await fc.assert(
      fc.asyncProperty(query, async (sql) => {
        // Each parameter is loaded by a Variable instruction, whose p1 is its number.
        const args = Array.from({ length: readSql(sql).parameterCount }, () => null);
        const program = await database.query(`EXPLAIN ${sql}`, args);
        const numbers = program.filter((row) => row[1] === 'Variable').map((row) => Number(row[2]));
        expect(readSql(sql).parameterCount).toBe(Math.max(0, ...numbers));
      }),
      { numRuns: 1000 },
    );
    await database.close();
  });
});
