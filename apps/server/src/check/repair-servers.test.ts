/** Repairs of stores on servers: only while no server of the platform runs, and none starts. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { startSqlServer } from '../db/testing/sql-server.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { check } from './index.ts';
import { StoresElsewhere } from './stores-elsewhere.ts';

async function platform() {
  const root = temporaryDirectory();
  const names = ['platform', 'production', 'sandbox'] as const;
  const servers = await Promise.all(names.map((name) => startSqlServer({ path: path.join(root, `${name}.db`) })));
  for (const server of servers) onTestFinished(() => server.close());
  const [first = '', second = '', third = ''] = servers.map(({ url }) => url);
  const stores = { platform: { url: first }, production: { url: second }, sandbox: { url: third } };
  const env = {
    BROADSIDE_DATABASE_URL: first,
    BROADSIDE_ADS_DATABASE_URL: second,
    BROADSIDE_SANDBOX_DATABASE_URL: third,
  };
  const open = (directory: string, shares: boolean) =>
    World.open({
      dataDirectory: path.join(root, directory),
      secretKeys: [new Uint8Array(32).fill(7)],
      media: { directory: path.join(root, 'media'), isShared: true },
      serving: { shares },
      stores,
    });
  const repair = (directory: string) =>
    check({ env, dataDirectory: path.join(root, directory), repair: true, isServed: false });
  return { env, open, repair, stores, root };
}

/** Plants a like of nobody. */
async function plant(url: string): Promise<void> {
  const database = await openDatabase(url);
  await database.applyMigration([
    { sql: `INSERT INTO likes (post_id, user_id, created_ms) VALUES ('1', 'nobody', 1)` },
  ]);
  await database.close();
}

test('what is wrong is repaired and noted, unless a server runs; servers that share do not start meanwhile', async () => {
  const { open, repair, stores, root } = await platform();
  const server = await open('server', true);
  await plant(stores.platform.url);
  await expect(repair('operator')).rejects.toThrow('stop all servers, then repair');
  await server.close();
  let refusal: unknown;
  const copying = StoresElsewhere.prototype.copy;
  const copy = vi.spyOn(StoresElsewhere.prototype, 'copy').mockImplementationOnce(async function (
    this: StoresElsewhere,
    to,
  ) {
    refusal = await open('other', true).catch(String);
    return copying.call(this, to);
  });
  onTestFinished(() => copy.mockRestore());
  const found = await repair('operator');
  expect(refusal).toContain('shares nothing with others');
  expect(found).toMatchObject([{ store: 'platform', table: 'likes', repaired: true }]);
  expect(readFileSync(path.join(root, 'operator', 'repairs.log'), 'utf8')).toContain('likes');
  expect(await repair('operator')).toEqual([]);
  const again = await open('server', true);
  await again.close();
});

test('a store that is a file outside of the data directory, or that has no platform, is not repaired', async () => {
  const { env, repair, root } = await platform();
  await expect(repair('operator')).rejects.toThrow('The store platform is empty, or of an earlier version');
  const elsewhere = { ...env, BROADSIDE_ADS_DATABASE_URL: `file:${path.join(root, 'production.db')}` };
  await expect(
    check({ env: elsewhere, dataDirectory: path.join(root, 'operator'), repair: true, isServed: false }),
  ).rejects.toThrow('The store production is a file outside of the data directory');
});
