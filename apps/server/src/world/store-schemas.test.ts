import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { entities, initializeAccount } from '../families.ts';
import { World } from '../open-world.ts';
import { fileOf } from './store-locations.ts';
import { migrateStores } from './store-schemas.ts';
import type { StoreName } from './world-options.ts';

it('a start with no migration pending reads once which ones a store has', async () => {
  const dataDirectory = temporaryDirectory();
  await (await World.open({ dataDirectory })).close();
  const reads: Record<StoreName, number> = { platform: 0, production: 0, sandbox: 0 };
  const open = async (name: StoreName) => {
    const database = await openDatabase(path.join(dataDirectory, fileOf(name)));
    onTestFinished(() => database.close());
    const { query } = database;
    vi.spyOn(database, 'query').mockImplementation((sql, args) => {
      if (sql.includes('FROM __migrations')) reads[name] += 1;
      return query.call(database, sql, args);
    });
    return database;
  };
  const databases = {
    platform: await open('platform'),
    production: await open('production'),
    sandbox: await open('sandbox'),
  };
  await migrateStores(databases, { dataDirectory }, { entities, furnish: initializeAccount });
  expect(reads).toEqual({ platform: 1, production: 1, sandbox: 1 });
});
