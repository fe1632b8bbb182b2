/** The copy of before an upgrade where an earlier start was killed while it made one. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { World } from '../open-world.ts';
import { ownFile } from '../world/store-locations.ts';
import type { StoreName } from '../world/world-options.ts';
import { keepBeforeUpgrade } from './before-upgrade.ts';

const root = mkdtempSync(path.join(tmpdir(), 'broadside-before-upgrade-'));
const directory = path.join(root, 'data');
const actor = { user_id: null, platform: 'SERVER' } as const;
const left = ['.making-0123456789', 'before-upgrade.new'].map((name) => path.join(directory, name));

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  // What was left has filled the disk.
  const statfs = async (at: string) => ({
    ...(await actual.statfs(at)),
    ...(left.some(existsSync) ? { bavail: 0 } : {}),
  });
  return { ...actual, statfs };
});

vi.mock('./copy-file.ts', async (original) => ({
  ...(await original<typeof import('./copy-file.ts')>()),
  sharesBlocks: async () => false,
}));

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('what an earlier start has left is removed before the room for a copy is looked at', async () => {
  const world = await World.open({ dataDirectory: directory });
  await world.identity.users.create(actor, { screen_name: 'anna', name: 'Anna', password: null });
  await world.close();
  for (const place of left) {
    mkdirSync(place);
    writeFileSync(path.join(place, 'platform.db'), 'part of a store');
  }
  const open = (name: StoreName) => openDatabase(ownFile({ dataDirectory: directory }, name) ?? '');
  const databases = {
    platform: await open('platform'),
    production: await open('production'),
    sandbox: await open('sandbox'),
  };
  try {
    const pending = { platform: ['next'], production: [], sandbox: [] };
    const kept = await keepBeforeUpgrade(directory, databases, pending);
    expect(kept).toEqual({ directory: path.join(directory, 'before-upgrade') });
    expect(readdirSync(path.join(directory, 'before-upgrade'))).toContain('upgrade.json');
    expect(left.filter(existsSync)).toEqual([]);
  } finally {
    for (const database of Object.values(databases)) await database.close();
  }
});
