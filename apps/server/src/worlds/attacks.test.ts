/** Worlds under hostile use: requests that are sent again, files that are no worlds, resets under load, and browsers between worlds. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { signRequest } from '@broadside/core/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PackManifest } from '../copies/pack-manifest.ts';
import type { Credentials } from '../demo/credentials.ts';
import { campaignNames, createCampaign } from './testing/signed.ts';
import { startWorlds, type WorldsServer } from './testing/worlds-server.ts';

/** Tests that make several worlds, on slow machines. */
const SLOW_MS = 300_000;

let shared: WorldsServer;
beforeAll(async () => {
  shared = await startWorlds(mkdtempSync(path.join(tmpdir(), 'broadside-attacks-')));
}, SLOW_MS);
afterAll(async () => {
  await shared.server.close();
  rmSync(shared.directory, { recursive: true, force: true });
});

async function newWorld(): Promise<{ id: string; address_prefix: string; credentials: Credentials }> {
  const { body } = await shared.control('POST', '/worlds', {});
  return body.data;
}

/** A request that is signed once and can be sent again. */
async function signedOnce(as: Credentials): Promise<() => Promise<number>> {
  const url = `${as.ads_sandbox_base_url}/12/accounts`;
  const { authorization } = await signRequest({
    method: 'GET',
    url,
    credentials: {
      consumerKey: as.consumer_key,
      consumerSecret: as.consumer_secret,
      token: as.access_token,
      tokenSecret: as.access_token_secret,
    },
    nonce: randomBytes(12).toString('hex'),
    timestamp: Math.floor(Date.now() / 1000),
    hmac: (algorithm, key, base) => createHmac(algorithm, key).update(base).digest('base64'),
  });
  return async () => (await fetch(url, { headers: { authorization } })).status;
}

test(
  'a request that was received before a reset is not accepted again after it',
  async () => {
    const { id, credentials } = await newWorld();
    const send = await signedOnce(credentials);
    expect([await send(), await send()]).toEqual([200, 401]);
    expect((await shared.control('POST', `/worlds/${id}/reset`, {})).status).toBe(200);
    expect(await send()).toBe(401);
    expect(await (await signedOnce(credentials))()).toBe(200);
  },
  SLOW_MS,
);

test(
  'resets under load lose nothing that is written after them',
  async () => {
    const { id, credentials } = await newWorld();
    const began = await campaignNames(credentials);
    let isOver = false;
    const load = [1, 2].map(async () => {
      while (!isOver) await campaignNames(credentials);
    });
    for (let round = 0; round < 3; round++) {
      expect((await shared.control('POST', `/worlds/${id}/reset`, {})).status).toBe(200);
      const { status } = await createCampaign(credentials, `Round ${round}`);
      expect(status).toBe(200);
      // The copy is made of the files, so what is written has to be in them.
      const fork = (await shared.control('POST', `/worlds/${id}/fork`, {})).body.data;
      expect(await campaignNames(fork.credentials)).toEqual([...began, `Round ${round}`].sort());
    }
    isOver = true;
    await Promise.all(load);
  },
  SLOW_MS,
);

describe('files that are no worlds', () => {
  let plain: Buffer;
  let manifest: PackManifest;
  beforeAll(async () => {
    const { id } = await newWorld();
    const file = await shared.download(`/worlds/${id}/export`);
    plain = gunzipSync(Buffer.from(await file.arrayBuffer()));
    manifest = JSON.parse(plain.toString('utf8', 0, plain.indexOf('\n')));
  }, SLOW_MS);

  /** The pack with the content of one file changed, and what it says of the world. Its sums are right. */
  function packWith(name: string, content: (before: Buffer) => Buffer, about: object = {}): Buffer {
    let at = plain.indexOf('\n') + 1;
    const contents = manifest.files.map((file) => {
      const before = plain.subarray(at, at + file.bytes);
      at += file.bytes;
      return file.path === name ? content(before) : before;
    });
    const files = manifest.files.map((file, index) => {
      const bytes = contents[index] ?? Buffer.alloc(0);
      return { ...file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    });
    const line = JSON.stringify({ ...manifest, world: { ...manifest.world, ...about }, files });
    return gzipSync(Buffer.concat([Buffer.from(`${line}\n`), ...contents]), { level: 1 });
  }

  const header = Buffer.from('SQLite format 3\0');
  const junk = () => Buffer.concat([header, randomBytes(20_000)]);
  test.each<[string, () => Buffer, RegExp]>([
    ['whose platform is junk', () => packWith('platform.db', junk), /no world that this version can open/],
    ['whose sandbox is junk', () => packWith('ads-sandbox.db', junk), /no world that this version can open/],
    ['whose sandbox is empty', () => packWith('ads-sandbox.db', () => Buffer.alloc(0)), /is not a database/],
    [
      'whose key is none',
      () => packWith('secret.key', () => Buffer.from('key\n')),
      /no world that this version can open/,
    ],
    [
      'whose key is another',
      () => packWith('secret.key', () => Buffer.from(`${randomBytes(32).toString('base64')}\n`)),
      /no world that this version can open/,
    ],
    ['whose credentials are none', () => packWith('credentials.json', () => Buffer.from('{')), /no world that/],
    ['whose credentials lack members', () => packWith('credentials.json', () => Buffer.from('{}')), /no world that/],
    ['with a long name', () => packWith('', (same) => same, { name: 'x'.repeat(10_000) }), /wrong at world: name/],
    ['with a seed that is none', () => packWith('', (same) => same, { seed: 5 }), /wrong at world: seed/],
  ])('a pack %s is rejected, and nothing is left of it', async (_, make, message) => {
    const before = readdirSync(path.join(shared.directory, 'snapshots')).length;
    const { status, body } = await shared.upload('/worlds/import', make());
    expect(body.errors).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'body' }]);
    expect(body.errors[0].message).toMatch(message);
    expect(status).toBe(400);
    expect(readdirSync(path.join(shared.directory, 'snapshots'))).toHaveLength(before);
  });

  test('the same pack unchanged is taken', async () => {
    const { status } = await shared.upload(
      '/worlds/import',
      packWith('', (same) => same),
    );
    expect(status).toBe(200);
  });
});

describe('pages of a world', () => {
  const localAddresses = (page: string) =>
    [...page.matchAll(/ (?:href|action|src|srcset|poster)="(\/[^"]*)"/g)].map(([, address = '']) => address);

  test(
    'lead to pages and media of the same world',
    async () => {
      const { address_prefix, credentials } = await newWorld();
      const page = await (await fetch(`${shared.server.urls.api}${address_prefix}/${credentials.screen_name}`)).text();
      const addresses = localAddresses(page);
      expect(addresses.filter((address) => !address.startsWith(`${address_prefix}/`))).toEqual([]);
      const media = addresses.filter((address) => address.includes('/media/'));
      const posts = addresses.filter((address) => address.includes('/status/'));
      expect([media.length, posts.length].every((count) => count > 0)).toBe(true);
      for (const address of [...media, ...posts]) {
        expect((await fetch(`${shared.server.urls.api}${address}`)).status).toBe(200);
      }
    },
    SLOW_MS,
  );
});
