import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyEntities } from '@broadside/core/resources/account-history';
import { getTableName } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import { temporaryDirectory } from './db/testing/temporary.ts';
import { entities } from './families.ts';
import { packageFile } from './package-file.ts';
import { otherKinds } from './resources/operator/audited-kinds.ts';

/** Tables of advertising stores that hold no kind of entity that families register. */
const others = [
  '__migrations',
  'account_access',
  'account_features',
  'account_shards',
  'account_work',
  'accounts',
  'audience_leaves',
  'change_log',
  'library_terms',
  'list_counts',
  'list_names',
  'moved_changes',
  'sequences',
  'shards',
  'sharing_accounts',
];

test('every table of an advertising store is of a registered kind of entity, and every kind has its table', async () => {
  const database = await openDatabase(path.join(temporaryDirectory(), 'ads.db'));
  await migrate(database, packageFile('drizzle/ads'), new Date(0));
  const rows = await database.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  await database.close();
  const stored = rows.map(([name]) => String(name)).filter((name) => !others.includes(name));
  expect(stored.sort()).toEqual(entities.all.map(({ table }) => getTableName(table)).sort());
});

test('every kind of entity with a history is registered under that name', () => {
  const names = entities.all.map(({ name }) => name);
  for (const name of historyEntities) expect(names).toContain(name);
});

test('every kind of what is recorded beside entities can be asked for', () => {
  const kinds: ReadonlySet<string> = new Set([...otherKinds, ...entities.all.map(({ name }) => name)]);
  // What actions of the platform answer is told in the same words, and is no record.
  const sources = readdirSync(import.meta.dirname, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts') && !/test/.test(file) && !file.startsWith('resources/control/actions/'));
  const recorded = sources.flatMap((file) =>
    [...readFileSync(path.join(import.meta.dirname, file), 'utf8').matchAll(/\bentity: '([A-Z_]+)'/g)].map(
      ([, kind = '']) => kind,
    ),
  );
  expect(recorded).toContain('USER');
  for (const kind of recorded) expect(kinds).toContain(kind);
});

test('every folder of a family that describes an entity registers it', () => {
  const folders = readdirSync(path.join(import.meta.dirname, 'resources'), { recursive: true })
    .map(String)
    .filter((file) => path.basename(file) === 'entity.ts');
  expect(entities.all).toHaveLength(folders.length);
});
