/** A data directory as an earlier version left it: before the indexes and the counts of lists, with as many rows as asked for. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '../../../apps/server/src/db/migrate.ts';
import { openDatabase } from '../../../apps/server/src/db/open-database.ts';
import { packageFile } from '../../../apps/server/src/package-file.ts';

/** The last migration of each kind of store that the earlier version had. Nothing older was ever released. */
const LAST = { ads: '0013_conversation_and_poll_cards', platform: '0015_sites_that_frame_previews' } as const;

/** The stores, by the names of their files. */
export const storeFiles = { 'platform.db': 'platform', 'ads-production.db': 'ads', 'ads-sandbox.db': 'ads' } as const;

/** Shares of the rows by table. */
const SHARES: Readonly<Record<string, number>> = {
  campaigns: 0.3,
  line_items: 0.25,
  targeting_criteria: 0.15,
  promoted_posts: 0.08,
  cards: 0.06,
  draft_posts: 0.05,
  scheduled_posts: 0.05,
  custom_audiences: 0.03,
  library_media: 0.02,
  funding_instruments: 0.01,
};

/** SQL of cells that indexes and counts depend on, by column; `n` is the number of the row. All others are zero or empty. */
const CELLS: Readonly<Record<string, string>> = {
  account_id: `printf('account%d', n % 5)`,
  id: `printf('%x', n)`,
  seq: 'n',
  name: `CASE WHEN n % 17 = 0 THEN 'Same' ELSE printf('Näme %d', (n * 7919) % 1000003) END`,
  name_folded: `CASE WHEN n % 17 = 0 THEN 'same' ELSE printf('näme %d', (n * 7919) % 1000003) END`,
  entity_status: `CASE n % 3 WHEN 0 THEN 'DRAFT' WHEN 1 THEN 'ACTIVE' ELSE 'PAUSED' END`,
  deleted: '(n % 11 = 0)',
  parent_deleted: '(n % 7 = 0)',
  campaign_id: `printf('%x', n % 997)`,
  line_item_id: `printf('%x', n % 1009)`,
  funding_instrument_id: `printf('%x', n % 13)`,
  user_id: `printf('%d', n % 3)`,
  nullcast: '(n % 2)',
  post_id: `printf('%d', n)`,
  targeting_value: `printf('%d', n)`,
  card_type: `CASE n % 2 WHEN 0 THEN 'IMAGE_WEBSITE' ELSE 'IMAGE_APP' END`,
  created_at: `strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + n, 'unixepoch')`,
  updated_at: `strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + (n * 31) % 5000000, 'unixepoch')`,
  daily_budget_amount_local_micro: 'CASE WHEN n % 4 = 0 THEN NULL ELSE n * 1000 END',
  scheduled_status: `'SUCCESS'`,
  scheduled_at: `'2026-01-01T00:00:00Z'`,
};

/** Names of audiences are unique in an account. */
const AUDIENCES = { name: `printf('Näme %d', n)`, name_folded: `printf('näme %d', n)` };

/** The migrations up to one of them. */
function migrationsUpTo(kind: keyof typeof LAST, scratch: string): string {
  const folder = path.join(scratch, kind);
  cpSync(packageFile(`drizzle/${kind}`), folder, { recursive: true });
  const file = path.join(folder, 'meta', '_journal.json');
  const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
  const last = journal.entries.findIndex(({ tag }) => tag === LAST[kind]);
  if (last < 0) throw new Error(`there is no migration ${LAST[kind]}`);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, last + 1) }));
  return folder;
}

/** Makes the stores. @param rows of advertising data in the sandbox; production has a tenth of them */
export async function makeOlderStores(directory: string, rows: number): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-older-'));
  try {
    for (const [file, kind] of Object.entries(storeFiles)) {
      const database = await openDatabase(path.join(directory, file));
      await migrate(database, migrationsUpTo(kind, scratch), new Date(1_700_000_000_000));
      if (kind === 'ads') await fill(database, file === 'ads-sandbox.db' ? rows : rows / 10);
      await database.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function fill(database: Awaited<ReturnType<typeof openDatabase>>, rows: number): Promise<void> {
  for (const [table, share] of Object.entries(SHARES)) {
    const columns = await database.query(`SELECT "name", "type" FROM pragma_table_info('${table}')`);
    const own: Readonly<Record<string, string>> = table === 'custom_audiences' ? { ...CELLS, ...AUDIENCES } : CELLS;
    const cells = columns.map(([name, type]) => own[String(name)] ?? (type === 'INTEGER' ? '0' : "''"));
    await database.write((writer) =>
      writer.run(
        `INSERT INTO "${table}" (${columns.map(([name]) => `"${String(name)}"`).join()})
         WITH RECURSIVE "numbers"(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM "numbers" WHERE n < ${Math.ceil(rows * share)})
         SELECT ${cells.join()} FROM "numbers"`,
      ),
    );
  }
}
