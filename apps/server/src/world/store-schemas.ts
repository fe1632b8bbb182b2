/** The schemas of the stores of a world: which migrations they lack, and bringing them up to date. */
import { fillCollatedNames } from '../db/collated-names.ts';
import type { Database } from '../db/database.ts';
import { keepListCounts } from '../db/list-counts.ts';
import { type Fill, lastMigration, MigrationError, migrate, type Progress, pendingMigrations } from '../db/migrate.ts';
import { packageFile } from '../package-file.ts';
import { wallClock } from './clock.ts';
import { type Environment, environments } from './environment.ts';
import { type Families, type StoreName, storeNames, type WorldOptions } from './world-options.ts';

const migrationsOf = { platform: 'platform', production: 'ads', sandbox: 'ads' } as const satisfies Record<
  StoreName,
  string
>;

/** Work on rows before a migration of a kind of store. */
const fillsOf: Readonly<Record<'platform' | 'ads', Readonly<Record<string, Fill>>>> = {
  platform: {},
  // The indexes on names are made when all rows have what they are ordered by.
  ads: { '0017_order_of_names': fillCollatedNames },
};

function migrationFolder(store: StoreName): string {
  return packageFile(`drizzle/${migrationsOf[store]}`);
}

/** Returns the last migration of a store that this version knows. */
export function lastMigrationOf(store: StoreName): string {
  return lastMigration(migrationFolder(store));
}

/**
 * Brings the stores to the schema of this version.
 * @throws MigrationError, NewerDatabaseError: a store that a newer version wrote is found before any is changed.
 */
export async function migrateStores(
  databases: Readonly<Record<StoreName, Database>>,
  options: WorldOptions,
  { entities }: Families,
): Promise<void> {
  const pending: Record<StoreName, readonly string[]> = { platform: [], production: [], sandbox: [] };
  for (const name of storeNames) {
    pending[name] = await named(name, pendingMigrations(databases[name], migrationFolder(name)));
  }
  const progressOf = startProgress(options);
  // A start with nothing to do has read and compared everything once.
  if (storeNames.some((name) => pending[name].length > 0)) {
    await options.beforeMigration?.(databases, pending);
    const now = new Date((options.clock ?? wallClock).now());
    for (const name of storeNames) {
      const options = { progress: progressOf(name), fills: fillsOf[migrationsOf[name]] };
      await named(name, migrate(databases[name], migrationFolder(name), now, options));
    }
  }
  for (const name of environments) {
    await keepListCounts(databases[name], entities.all, { progress: progressOf(name) });
  }
}

/** Brings a shard to the schema of this version. @throws MigrationError, NewerDatabaseError: nothing is changed then */
export async function migrateShard(
  database: Database,
  environment: Environment,
  options: WorldOptions,
  { entities }: Families,
): Promise<void> {
  const now = new Date((options.clock ?? wallClock).now());
  const progress = startProgress(options)(environment);
  await named(environment, migrate(database, migrationFolder(environment), now, { progress, fills: fillsOf.ads }));
  await keepListCounts(database, entities.all, { progress });
}

/** Verifies that this version can bring a store up to date. @throws MigrationError, NewerDatabaseError */
export async function checkSchema(database: Database, name: StoreName): Promise<void> {
  await named(name, pendingMigrations(database, migrationFolder(name)));
}

/** Returns whether a store responds and lacks no migration. */
export async function isMigrated(database: Database, name: StoreName): Promise<boolean> {
  try {
    return (await pendingMigrations(database, migrationFolder(name))).length === 0;
  } catch {
    return false;
  }
}

/** The interval in which the progress of a long migration is reported. */
const PROGRESS_MS = 3000;

/** Reports the progress of stores every few seconds; of short migrations nothing. */
function startProgress({ onMigration, wallClock: wall = wallClock }: WorldOptions): (store: StoreName) => Progress {
  let last = wall.elapsed();
  return (store) => (step) => {
    if (wall.elapsed() - last < PROGRESS_MS) return;
    last = wall.elapsed();
    onMigration?.(store, step);
  };
}

/** Adds the store to the message of a migration's error. */
async function named<Result>(name: StoreName, step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof MigrationError) error.message = `${error.message} (store: ${name})`;
    throw error;
  }
}
