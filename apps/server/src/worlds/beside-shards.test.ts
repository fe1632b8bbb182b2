/** Worlds on a server whose own accounts are on shards: each has all of its stores as files of its own. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { campaignNames, createCampaign, signed } from './testing/signed.ts';
import { worldsServer } from './testing/worlds-server.ts';

async function countAccounts(file: string): Promise<number> {
  const database = await openDatabase(file);
  const [row] = await database.query('SELECT count(*) FROM accounts').finally(() => database.close());
  return Number(row?.[0]);
}

/** A server whose demo is on one of two shards of the sandbox. */
async function sharded() {
  const files = temporaryDirectory();
  const shards = ['east', 'west'].map((name) => path.join(files, `${name}.db`));
  const started = await worldsServer(path.join(files, 'data'), {
    BROADSIDE_SANDBOX_SHARDS: shards.map((file) => `${path.basename(file, '.db')}=file:${file}`).join(','),
  });
  const own = (await started.control('GET', '/worlds/default')).body.data.credentials;
  return { ...started, own, counted: () => Promise.all(shards.map(countAccounts)) };
}

test('worlds are made, used, forked, reset and deleted, and nothing of them reaches the shards', {
  timeout: 120_000,
}, async () => {
  const { control, directory, own, counted } = await sharded();
  const before = await counted();
  expect(before.toSorted()).toEqual([0, 1]);
  const made = await control('POST', '/worlds', { name: 'autumn', from: { demo: true } });
  expect(made.status).toBe(200);
  const { id, credentials } = made.body.data;
  expect((await createCampaign(credentials, 'Of the world')).status).toBe(200);
  expect(await campaignNames(credentials)).toContain('Of the world');
  expect(await campaignNames(own)).not.toContain('Of the world');
  const fork = await control('POST', `/worlds/${id}/fork`, {});
  expect(fork.status).toBe(200);
  expect(await campaignNames(fork.body.data.credentials)).toContain('Of the world');
  expect((await control('POST', `/worlds/${id}/reset`, {})).status).toBe(200);
  expect(await campaignNames(credentials)).not.toContain('Of the world');
  expect(readdirSync(path.join(directory, 'worlds', id))).toContain('ads-sandbox.db');
  expect(await counted()).toEqual(before);
  expect((await control('DELETE', `/worlds/${id}`)).status).toBe(200);
  expect((await signed(credentials, 'GET', '/12/accounts')).status).toBe(401);
});

test("a world is generated, the clock of the server's own advances, and what would copy the shards is refused in one line", {
  timeout: 120_000,
}, async () => {
  const { control, own } = await sharded();
  expect((await control('POST', '/worlds', { from: { generate: { users: 20, posts: 50 } } })).status).toBe(200);
  expect((await control('POST', '/worlds/default/clock/advance', { by: 'P1D' })).status).toBe(200);
  for (const target of ['fork', 'snapshots', 'reset', 'export']) {
    const method = target === 'export' ? 'GET' : 'POST';
    const { status, body } = await control(method, `/worlds/default/${target}`, method === 'GET' ? undefined : {});
    expect([target, status, body.errors]).toMatchObject([target, 400, [{ code: 'WORLD_ELSEWHERE' }]]);
    expect(body.errors[0].message).toMatch(/^[^\n]*are on shards[^\n]*$/);
  }
  expect((await createCampaign(own, 'Afterwards')).status).toBe(200);
});
