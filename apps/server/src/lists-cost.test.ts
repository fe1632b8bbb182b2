/** A page and a count of thirty thousand campaigns cost about as much as those of a thousand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { costRatio } from '@broadside/cost-ratio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Reader } from './db/database.ts';
import { keepListCounts } from './db/list-counts.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import { fillCampaigns } from './db/testing/many-campaigns.ts';
import { entities } from './families.ts';
import { packageFile } from './package-file.ts';
import { campaign } from './resources/campaigns/find.ts';

const FEW = 1000;
const MANY = 30_000;
/** Sorting all rows, or passing over them, is about thirty times as much work. */
const LIMIT = 4;

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-cost-'));
const databases: Database[] = [];

beforeAll(async () => {
  for (const size of [FEW, MANY]) {
    const database = await openDatabase(path.join(directory, `${size}.db`));
    databases.push(database);
    await migrate(database, packageFile('drizzle/ads'), new Date(0));
    await keepListCounts(database, entities.all);
    await database.write((writer) => fillCampaigns(writer, size));
  }
});
afterAll(async () => {
  for (const database of databases) await database.close();
  rmSync(directory, { recursive: true, force: true });
});

async function list(reader: Reader | undefined, params: Readonly<Record<string, unknown>>): Promise<void> {
  if (!reader) throw new TypeError('the databases are open');
  const query = { count: 50, with_deleted: false, with_total_count: false, ...params };
  for (let i = 0; i < 5; i++) await campaign.queries.page(reader, 'a', query);
}

const both = { with_draft: true, with_deleted: true };

test.for<[string, Readonly<Record<string, unknown>>]>([
  ['the first page, behind many newer drafts', {}],
  ['the first page with all records', both],
  ['the first page by name', { sort_by: ['name-asc'] }],
  ['the last names', { sort_by: ['name-desc'] }],
  ['by a budget that many do not have', { sort_by: ['daily_budget_amount_local_micro-asc'] }],
  ['by deletion', { ...both, sort_by: ['deleted-desc'] }],
  ['a prefix of most names', { q: 'campaign' }],
  ['a prefix of most names, by name', { q: 'campaign', sort_by: ['name-asc'] }],
  ['a prefix of no name', { q: 'none' }],
  ['the campaigns of a funding instrument', { funding_instrument_ids: ['f1'] }],
  ['those of three', { funding_instrument_ids: ['f1', 'f2', 'f3'] }],
  ['those of three by name', { funding_instrument_ids: ['f1', 'f2', 'f3'], sort_by: ['name-asc'] }],
  ['some campaigns by name', { ...both, campaign_ids: ['m1', 'm2', 'm3'], sort_by: ['name-asc'] }],
  ['the number of all', { with_total_count: true, count: 1 }],
  ['the number with a prefix', { with_total_count: true, count: 1, q: 'campaign' }],
  ['the number of two funding instruments', { with_total_count: true, count: 1, funding_instrument_ids: ['f1', 'f2'] }],
])('%s', async ([, params]) => {
  const [few, many] = databases;
  const ratio = await costRatio(
    () => list(many, params),
    () => list(few, params),
    LIMIT,
  );
  expect(ratio).toBeLessThan(LIMIT);
});
