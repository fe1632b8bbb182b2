/** Stores of an earlier version on libSQL servers. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { World } from '@broadside/server';
import { sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../apps/server/src/db/open-database.ts';
import { fixtureNames, unpackFixture } from '../../upgrades/fixture.ts';
import { loadStore } from '../../upgrades/load.ts';

const root = mkdtempSync(path.join(tmpdir(), 'broadside-upgrade-servers-'));
const missing = sqldMissing();
const closers: (() => Promise<void>)[] = [];
const files = { platform: 'platform.db', production: 'ads-production.db', sandbox: 'ads-sandbox.db' };
const urls: Record<keyof typeof files, string> = { platform: '', production: '', sandbox: '' };
const [oldest = ''] = fixtureNames();

beforeAll(async () => {
  if (missing !== undefined) return;
  unpackFixture(oldest, path.join(root, 'older'));
  for (const name of ['platform', 'production', 'sandbox'] as const) {
    const server = await startSqld({ directory: path.join(root, name) });
    closers.push(() => server.close());
    urls[name] = server.url;
    await loadStore(path.join(root, 'older', files[name]), server.url);
  }
});
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(root, { recursive: true, force: true });
});

/** Opens the platform as a server with a data directory of its own does. */
const open = (name: string) =>
  World.open({
    dataDirectory: path.join(root, name),
    secretKeys: [Buffer.from(readFileSync(path.join(root, 'older', 'secret.key'), 'utf8').trim(), 'base64')],
    media: { directory: path.join(root, 'media'), isShared: true },
    stores: { platform: { url: urls.platform }, production: { url: urls.production }, sandbox: { url: urls.sandbox } },
  });

async function ask(store: keyof typeof urls, sql: string): Promise<unknown> {
  const database = await openDatabase(urls[store]);
  try {
    return (await database.query(sql))[0]?.[0];
  } finally {
    await database.close();
  }
}

test.skipIf(missing !== undefined)(
  'two servers that start at once on stores of an earlier version migrate them once',
  async () => {
    const before = await ask('sandbox', 'SELECT count(*) FROM "campaigns"');
    expect(before).toBeGreaterThan(0n);
    const worlds = await Promise.all([open('one'), open('two')]);
    try {
      for (const world of worlds) expect(await world.stores.unready()).toEqual([]);
      expect(await ask('sandbox', 'SELECT count(*) FROM "campaigns"')).toBe(before);
      expect(await ask('sandbox', 'SELECT count(*) - count(DISTINCT "tag") FROM "__migrations"')).toBe(0n);

      // A newer version has migrated: those that still run say so, and do not start again.
      const platform = await openDatabase(urls.platform);
      await platform.applyMigration([{ sql: `INSERT INTO "__migrations" VALUES ('9999_later', 'x', 0)` }]);
      await platform.close();
      for (const world of worlds) expect(await world.stores.unready()).toEqual(['platform']);
      await expect(open('three')).rejects.toThrow(/newer version: it holds the migration 9999_later.*upgrading\.md/);
    } finally {
      for (const world of worlds) await world.close();
    }
  },
);
