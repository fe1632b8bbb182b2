import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { campaignNames, createCampaign, signed } from './testing/signed.ts';
import { startWorlds, type WorldsServer, worldsServer } from './testing/worlds-server.ts';

let shared: WorldsServer;
beforeAll(async () => {
  shared = await startWorlds(mkdtempSync(path.join(tmpdir(), 'broadside-worlds-')));
});
afterAll(async () => {
  await shared.server.close();
  rmSync(shared.directory, { recursive: true, force: true });
});

describe('the control of worlds', () => {
  it('lists the default world, creates one from the demo, and deletes it with its files', async () => {
    const { control, directory } = shared;
    expect((await control('GET', '/worlds')).body.data[0]).toMatchObject({ id: 'default', origin: 'DEFAULT' });
    const made = await control('POST', '/worlds', { name: 'autumn', from: { demo: true } });
    expect(made).toMatchObject({ status: 200, body: { data: { name: 'autumn', origin: 'DEMO' } } });
    const { id, credentials } = made.body.data;
    expect(credentials.consumer_key.startsWith(id)).toBe(true);
    expect((await control('GET', `/worlds/${id}`)).body.data).toEqual(made.body.data);
    await control('POST', `/worlds/${id}/snapshots`, {});
    expect((await control('DELETE', `/worlds/${id}`)).status).toBe(200);
    expect((await control('GET', `/worlds/${id}`)).body.errors).toMatchObject([{ code: 'WORLD_NOT_FOUND', value: id }]);
    expect(existsSync(path.join(directory, 'worlds', id))).toBe(false);
    expect(existsSync(path.join(directory, 'snapshots', id))).toBe(false);
    // Its credentials are nobody's any more.
    expect((await signed(credentials, 'GET', '/12/accounts')).status).toBe(401);
  });

  it('takes the token of the operator only, and no request of another origin', async () => {
    const { control } = shared;
    const wrong = await control('GET', '/worlds', undefined, { authorization: 'Bearer wrong' });
    expect(wrong).toMatchObject({ status: 401, body: { errors: [{ code: 'UNAUTHORIZED_ACCESS' }] } });
    const elsewhere = await control('GET', '/worlds', undefined, { origin: 'https://evil.example' });
    expect(elsewhere).toMatchObject({ status: 403, body: { errors: [{ code: 'ACTION_NOT_ALLOWED' }] } });
    const post = await control('POST', '/worlds', {}, { origin: 'https://evil.example' });
    expect(post.status).toBe(403);
  });

  it('rejects a beginning that is none, two or unknown, and what the default world cannot do', async () => {
    const { control } = shared;
    for (const from of [{}, { demo: true, empty: true }]) {
      const { status, body } = await control('POST', '/worlds', { from });
      expect(status).toBe(400);
      expect(body.errors[0]).toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'from' });
    }
    const unknown = await control('POST', '/worlds', { from: { world: 'wnowhere' } });
    expect(unknown).toMatchObject({
      status: 404,
      body: { errors: [{ code: 'WORLD_NOT_FOUND', parameter: 'from.world' }] },
    });
    const snapshot = await control('POST', '/worlds', { from: { snapshot: 'snowhere' } });
    expect(snapshot).toMatchObject({ status: 404, body: { errors: [{ code: 'SNAPSHOT_NOT_FOUND' }] } });
    expect((await control('DELETE', '/worlds/default')).body.errors[0].code).toBe('WORLD_PERMANENT');
  });
});

describe('a world', () => {
  it('is found by the credentials of a request, forks, and neither sees what the other does', async () => {
    const { control } = shared;
    const own = (await control('GET', '/worlds/default')).body.data.credentials;
    expect((await createCampaign(own, 'Before')).status).toBe(200);
    const fork = (await control('POST', '/worlds/default/fork', { name: 'fork' })).body.data;
    expect(fork).toMatchObject({ origin: 'WORLD', origin_id: 'default', address_prefix: `/~${fork.id}` });
    expect(fork.credentials.consumer_key).not.toBe(own.consumer_key);
    const common = await campaignNames(own);
    expect(common).toContain('Before');
    expect(await campaignNames(fork.credentials)).toEqual(common);
    await createCampaign(own, 'In the source');
    await createCampaign(fork.credentials, 'In the fork');
    expect(await campaignNames(own)).toEqual([...common, 'In the source'].sort());
    expect(await campaignNames(fork.credentials)).toEqual([...common, 'In the fork'].sort());
    // Neither set of credentials is any good with a part of the other.
    expect((await signed({ ...own, consumer_key: fork.credentials.consumer_key }, 'GET', '/12/accounts')).status).toBe(
      401,
    );
    expect((await signed({ ...fork.credentials, access_token: own.access_token }, 'GET', '/12/accounts')).status).toBe(
      401,
    );
  });

  it('is reset to how it began and restored to a snapshot, with the same credentials', async () => {
    const { control, directory } = shared;
    const { id, credentials } = (await control('POST', '/worlds', {})).body.data;
    const began = await campaignNames(credentials);
    await createCampaign(credentials, 'One');
    const { id: snapshot_id } = (await control('POST', `/worlds/${id}/snapshots`, { name: 'with one' })).body.data;
    await createCampaign(credentials, 'Two');
    const restored = await control('POST', `/worlds/${id}/restore`, { snapshot_id });
    expect(restored).toMatchObject({ status: 200, body: { data: { id, credentials } } });
    expect(await campaignNames(credentials)).toEqual([...began, 'One'].sort());
    expect((await control('POST', `/worlds/${id}/reset`, {})).status).toBe(200);
    expect(await campaignNames(credentials)).toEqual(began);
    const fork = (await control('POST', '/worlds', { from: { snapshot: snapshot_id } })).body.data;
    expect(await campaignNames(fork.credentials)).toEqual([...began, 'One'].sort());
    expect((await control('GET', `/worlds/${id}/snapshots`)).body.data).toMatchObject([
      { id: snapshot_id, name: 'with one' },
    ]);
    expect((await control('DELETE', `/worlds/${id}/snapshots/${snapshot_id}`)).status).toBe(200);
    expect((await control('GET', `/worlds/${id}/snapshots`)).body.data).toEqual([]);
    const other = await control('POST', `/worlds/${fork.id}/restore`, { snapshot_id });
    expect(other.body.errors[0]).toMatchObject({ code: 'SNAPSHOT_NOT_FOUND', parameter: 'snapshot_id' });
    expect(other.body.errors[0].message).toMatch(/; it has none$/);
    // What there is, and what was meant, is said by id and name.
    const { id: first } = (await control('POST', `/worlds/${id}/snapshots`, { name: 'first' })).body.data;
    const unknown = await control('POST', `/worlds/${id}/restore`, { snapshot_id: 'nowhere' });
    expect(unknown.body.errors[0].message).toBe(`The world has no snapshot "nowhere"; it has ${first}, called "first"`);
    const autumn = (await control('POST', '/worlds', { from: { empty: true }, name: 'autumn' })).body.data;
    expect((await control('GET', '/worlds/autum')).body.errors[0].message).toBe(
      `This server has no world "autum" (did you mean ${autumn.id}, called "autumn"?): it may have been deleted, or its time to live is over`,
    );
    expect(readdirSync(path.join(directory, 'worlds')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('has the same ids and times as another of its seed after the same calls', async () => {
    const { control } = shared;
    const outcome = async () => {
      const { credentials } = (await control('POST', '/worlds', { seed: 'rain' })).body.data;
      const made = await createCampaign(credentials, 'Seeded');
      const { sandbox_account_id, user_id, post_ids } = credentials;
      return { created: made.body.data, sandbox_account_id, user_id, post_ids };
    };
    const first = await outcome();
    expect(await outcome()).toEqual(first);
    expect(first.created.created_at).toBe('2026-01-15T08:00:00Z');
  });

  it('is exported as a file, of which another server makes the same world', async () => {
    const first = shared;
    const own = (await first.control('POST', '/worlds', { name: 'moved' })).body.data;
    await createCampaign(own.credentials, 'Packed');
    const file = await first.download(`/worlds/${own.id}/export`);
    expect(file.headers.get('content-type')).toBe('application/vnd.broadside.world');
    const bytes = Buffer.from(await file.arrayBuffer());
    const second = await worldsServer();
    const { body: made } = await second.upload('/worlds/import', bytes);
    expect(made.data).toMatchObject({ name: 'moved', origin: 'IMPORT' });
    expect(made.data.credentials.sandbox_account_id).toBe(own.credentials.sandbox_account_id);
    expect(await campaignNames(made.data.credentials)).toEqual(await campaignNames(own.credentials));
    const cut = await second.upload('/worlds/import', bytes.subarray(0, bytes.length - 100));
    expect(cut.status).toBe(400);
    expect(cut.body.errors).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'body' }]);
    expect((await second.download('/worlds/wnowhere/export')).status).toBe(404);
    expect((await fetch(`${second.server.controlUrl}/worlds/${made.data.id}/export`)).status).toBe(401);
    expect(readdirSync(path.join(second.directory, 'worlds'))).toEqual([made.data.id]);
    await expect.poll(() => readdirSync(path.join(first.directory, 'exports'))).toEqual([]);
  });

  it('is not made of a large body that is no pack, which is answered once it has been sent', async () => {
    const { upload, control } = shared;
    const { status, body } = await upload('/worlds/import', randomBytes(8 << 20));
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'body' }]);
    expect((await control('GET', '/worlds')).status).toBe(200);
  });

  it('is there after a restart, and expires by itself', async () => {
    const first = await worldsServer();
    const lasting = (await first.control('POST', '/worlds', { name: 'lasting' })).body.data;
    const brief = (await first.control('POST', '/worlds', { from: { world: lasting.id }, ttl_seconds: 1 })).body.data;
    expect(Date.parse(brief.expires_at) - Date.parse(brief.created_at)).toBe(1000);
    await createCampaign(lasting.credentials, 'Kept');
    await first.server.close();
    const second = await worldsServer(first.directory);
    const { credentials } = (await second.control('GET', `/worlds/${lasting.id}`)).body.data;
    expect(await campaignNames(credentials)).toContain('Kept');
    await expect.poll(async () => (await second.control('GET', `/worlds/${brief.id}`)).status).toBe(404);
  });

  it('has addresses of its own where there is no credential', async () => {
    const { control, server } = shared;
    const { id, credentials, address_prefix } = (await control('POST', '/worlds', { from: { empty: true } })).body.data;
    expect(credentials).toBeNull();
    const demo = (await control('POST', '/worlds', {})).body.data;
    const at = async (prefix: string) =>
      (await fetch(`${server.urls.api}${prefix}/${demo.credentials.screen_name}`)).status;
    expect(await at(demo.address_prefix)).toBe(200);
    expect(await at(address_prefix)).toBe(404);
    expect(await at('/~wnowhere')).toBe(404);
    const posts = `${server.urls.api}/2/posts?ids=${demo.credentials.post_ids[0]},1`;
    const headers = { authorization: `Bearer ${demo.credentials.bearer_token}` };
    // The types of problems are the same in each world.
    expect(await (await fetch(posts, { headers })).json()).toMatchObject({
      data: [{ id: demo.credentials.post_ids[0] }],
      errors: [{ resource_id: '1', type: `${server.urls.api}/2/problems/resource-not-found` }],
    });
    expect(id).not.toBe(demo.id);
  });
});
