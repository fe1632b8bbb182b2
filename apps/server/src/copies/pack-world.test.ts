/** Worlds as one file: what is in it, and what is not taken. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Credentials } from '../demo/credentials.ts';
import { ensureDemo } from '../demo/demo.ts';
import { World } from '../open-world.ts';
import { copyWorld } from './copy-world.ts';
import { PackError, type PackManifest } from './pack-manifest.ts';
import { packWorld } from './pack-world.ts';
import { rowsOf } from './testing/contents.ts';
import { unpackWorld } from './unpack-world.ts';

const urls = { api: 'http://api.test', ads: 'http://ads.test', sandbox: 'http://sandbox.test' };
const root = mkdtempSync(path.join(tmpdir(), 'broadside-pack-'));
const source = path.join(root, 'source');
let packed: Buffer;
let credentials: Credentials;

beforeAll(async () => {
  const world = await World.open({ dataDirectory: path.join(root, 'one') });
  await ensureDemo(world, urls, { advertisement: true });
  await copyWorld(world, source);
  await world.close();
  credentials = JSON.parse(readFileSync(path.join(source, 'credentials.json'), 'utf8'));
  packed = await buffer((await packWorld(source, { name: 'demo', copied_ms: 1 })).stream);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function* inPieces(bytes: Uint8Array, size = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The same pack with another manifest. */
function withManifest(change: (manifest: PackManifest) => object): Buffer {
  const plain = gunzipSync(packed);
  const end = plain.indexOf('\n');
  const manifest: PackManifest = JSON.parse(plain.toString('utf8', 0, end));
  return gzipSync(Buffer.concat([Buffer.from(`${JSON.stringify(change(manifest))}\n`), plain.subarray(end + 1)]));
}

test('a pack makes the same world elsewhere', async () => {
  const target = path.join(root, 'elsewhere', 'two');
  const manifest = await unpackWorld(inPieces(packed), target);
  expect(manifest).toMatchObject({ format: 'broadside-world', world: { name: 'demo', copied_ms: 1 } });
  expect(manifest.counts['platform.users']).toBeGreaterThan(3);
  expect(manifest.counts['sandbox.campaigns']).toBe(1);
  expect(await rowsOf(target)).toEqual(await rowsOf(source));
  for (const name of ['platform.db', 'secret.key', 'credentials.json']) {
    expect(statSync(path.join(target, name)).mode & 0o777).toBe(0o600);
  }
  const world = await World.open({ dataDirectory: target });
  const signing = await world.identity.signing.find(credentials.consumer_key, credentials.access_token);
  expect(signing?.token?.secret).toBe(credentials.access_token_secret);
  await world.close();
});

describe('a pack is not taken', () => {
  const first = (manifest: PackManifest, change: object) => ({
    ...manifest,
    files: manifest.files.map((file, i) => (i === 0 ? { ...file, ...change } : file)),
  });
  const wrong: Readonly<Record<string, readonly [() => Buffer, RegExp]>> = {
    'that is something else': [() => Buffer.from('{"a": 1}'), /cannot be decompressed/],
    'that is something else, compressed': [() => gzipSync('{"a": 1}\n'), /does not begin with a manifest/],
    'that is empty': [() => Buffer.alloc(0), /cut off/],
    'that was cut off in the manifest': [() => packed.subarray(0, 100), /cut off/],
    'that was cut off in a file': [() => packed.subarray(0, packed.length / 2), /cut off/],
    'that lacks its last bytes': [() => gzipSync(gunzipSync(packed).subarray(0, -1)), /cut off/],
    'that goes on': [() => gzipSync(Buffer.concat([gunzipSync(packed), Buffer.from('x')])), /goes on after/],
    'of a newer format': [() => withManifest((manifest) => ({ ...manifest, format_version: 2 })), /newer version/],
    'of a newer schema': [
      () => withManifest((manifest) => ({ ...manifest, schemas: { ...manifest.schemas, sandbox: '9999_later' } })),
      /newer version .* store sandbox has the schema 9999_later/,
    ],
    'with another checksum': [
      () => withManifest((manifest) => first(manifest, { sha256: 'a'.repeat(64) })),
      /is damaged: its checksum/,
    ],
    'with a path that leads elsewhere': [
      () => withManifest((manifest) => first(manifest, { path: '../evil.db' })),
      /files\.0\.path: not a file of a world/,
    ],
    'with an absolute path': [
      () => withManifest((manifest) => first(manifest, { path: '/etc/passwd' })),
      /not a file of a world/,
    ],
    'with a path that climbs within media': [
      () => withManifest((manifest) => first(manifest, { path: 'media/blobs/aa/../../../../x' })),
      /not a file of a world/,
    ],
    'with a file twice': [
      () => withManifest((manifest) => ({ ...manifest, files: [...manifest.files, ...manifest.files] })),
      /lists a file twice/,
    ],
    'with a negative size': [() => withManifest((manifest) => first(manifest, { bytes: -1 })), /files\.0\.bytes/],
    'without a store': [
      () =>
        withManifest((manifest) => ({
          ...manifest,
          files: manifest.files.filter((file) => file.path !== 'platform.db'),
        })),
      /lacks the file platform\.db/,
    ],
  };
  for (const [name, [make, message]] of Object.entries(wrong)) {
    test(name, async () => {
      const parent = path.join(root, 'rejected');
      const taking = unpackWorld(inPieces(make()), path.join(parent, 'two'));
      await expect(taking).rejects.toThrow(PackError);
      await expect(taking).rejects.toThrow(message);
      expect(readdirSync(parent)).toEqual([]);
    });
  }

  test('that is larger than allowed', async () => {
    const taking = unpackWorld(inPieces(packed), path.join(root, 'rejected', 'two'), { most_bytes: 1000 });
    await expect(taking).rejects.toThrow(/more than the 1000 allowed/);
  });

  test('whose stream fails', async () => {
    const failing = async function* () {
      yield packed.subarray(0, 1000);
      throw new Error('the connection was lost');
    };
    await expect(unpackWorld(failing(), path.join(root, 'rejected', 'two'))).rejects.toThrow('connection was lost');
    expect(readdirSync(path.join(root, 'rejected'))).toEqual([]);
  });
});

test('a directory that is no world is not packed', async () => {
  await expect(packWorld(root)).rejects.toThrow(/it lacks platform\.db/);
});
