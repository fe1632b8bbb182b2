/**
 * Rows that readers keep are outdated by the table that the text of a statement names. Nothing else may write the rows that are kept:
 * no trigger, and no action of a foreign key.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getTableName } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from './db/database.ts';
import { keepListCounts } from './db/list-counts.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import { entities } from './families.ts';
import { packageFile } from './package-file.ts';

const kept = {
  ads: [...entities.all.map(({ table }) => getTableName(table)), 'accounts', 'account_access'],
  platform: ['media', 'posts', 'users', 'polls', 'apps', 'access_tokens', 'bearer_tokens'],
};

const VERBS = /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+["`[]?(\w+)/gi;

/** The tables that the body of a trigger writes. */
function writtenBy(trigger: string): string[] {
  const body = trigger.slice(/\bBEGIN\b/i.exec(trigger)?.index ?? 0);
  const names = [...body.matchAll(VERBS)].map(([, name]) => (name ?? '').toLowerCase());
  // ON CONFLICT DO UPDATE SET
  return names.filter((name) => name !== 'set');
}

describe.for(['ads', 'platform'] as const)('the store %s', (store) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-kept-'));
  let database: Database;

  beforeAll(async () => {
    database = await openDatabase(path.join(directory, 'store.db'));
    await migrate(database, packageFile(`drizzle/${store}`), new Date(0));
    if (store === 'ads') await keepListCounts(database, entities.all);
  });
  afterAll(async () => {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test('has no trigger that writes rows that are kept', async () => {
    const triggers = await database.query("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'");
    expect(triggers.length).toBeGreaterThan(5);
    const written = triggers.map(([name, sql]) => ({ name, tables: writtenBy(String(sql)) }));
    expect(written.filter(({ tables }) => tables.length === 0)).toEqual([]);
    expect(written.filter(({ tables }) => tables.some((table) => kept[store].includes(table)))).toEqual([]);
  });

  test('has no foreign key with an action', async () => {
    for (const table of kept[store]) {
      const keys = await database.query(`SELECT on_update, on_delete FROM pragma_foreign_key_list('${table}')`);
      expect(keys.flat().filter((action) => action !== 'NO ACTION')).toEqual([]);
    }
  });

  test('has the tables that are kept', async () => {
    const tables = await database.query("SELECT name FROM sqlite_master WHERE type = 'table'");
    expect(tables.flat()).toEqual(expect.arrayContaining(kept[store]));
  });
});
