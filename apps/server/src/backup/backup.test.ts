/** Backups of a world that serves, and what comes of them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startS3Server } from '@broadside/test-servers/s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filesIn, rowsOf } from '../copies/testing/contents.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { openBlobStore } from '../media/blobs/open-blob-store.ts';
import { backUp, openDemo, openWorld, problemsOf, restore, SEALED, sharedDemo } from './testing/backed-up.ts';
import { placeKinds, testPlace } from './testing/places.ts';
import { manifestOf } from './verify-backup.ts';

const demo = sharedDemo();

describe.each(placeKinds)('in a %s', (kind) => {
  test('a backup is restored elsewhere as the world was at its instant, with its credentials', async () => {
    const { world, credentials } = demo();
    const { place } = await testPlace(kind);
    await world.sessions.begin(credentials.user_id);
    const before = await world.sessions.count(credentials.user_id);
    const { manifest } = await backUp(world, place, SEALED);
    await world.sessions.begin(credentials.user_id);
    expect(await problemsOf(place, manifest.id, SEALED.passphrase)).toEqual([]);
    const target = path.join(temporaryDirectory(), 'elsewhere', 'data');
    const restored = await restore(place, target, SEALED);
    expect(restored.secrets).toEqual(['credentials.json', 'operator.token', 'secret.key']);
    expect(readFileSync(path.join(target, 'operator.token'), 'utf8')).toBe('the-token-of-the-operator\n');
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(target, 'secret.key')).mode & 0o777).toBe(0o600);
    const copy = await openWorld(target);
    expect(await copy.sessions.count(credentials.user_id)).toBe(before);
    const signing = await copy.identity.signing.find(credentials.consumer_key, credentials.access_token);
    expect(signing?.consumer_secret).toBe(credentials.consumer_secret);
    expect(signing?.token?.secret).toBe(credentials.access_token_secret);
    expect(filesIn(path.join(target, 'media', 'blobs'))).toEqual(
      filesIn(path.join(world.dataDirectory, 'media', 'blobs')),
    );
    await copy.sessions.begin(credentials.user_id);
  });

  test('media that are there already are not copied again', async () => {
    const { world } = demo();
    const { place, names } = await testPlace(kind);
    const first = await backUp(world, place);
    expect(first.new_media).toBeGreaterThan(0);
    const media = () => names().filter((name) => name.startsWith('media/'));
    const held = media();
    expect(held).toHaveLength(first.new_media);
    const second = await backUp(world, place);
    expect(second).toMatchObject({ new_media: 0, new_media_bytes: 0 });
    expect(media()).toEqual(held);
    expect(await place.list()).toEqual([first.manifest.id, second.manifest.id]);
  });

  test('the latest backups are kept, with the media that they need and no others', async () => {
    const { world } = demo();
    const { place, names } = await testPlace(kind);
    const unused = 'ab'.repeat(32);
    await place.putMedium(unused, pieces('unused'));
    const ids = [await backUp(world, place), await backUp(world, place, { now: later(world.wallClock.now(), 10) })].map(
      ({ manifest }) => manifest.id,
    );
    const third = await backUp(world, place, { keep: 2, now: later(world.wallClock.now(), 20) });
    expect(third.removed).toEqual([ids[0]]);
    expect(await place.list()).toEqual([ids[1], third.manifest.id]);
    expect(names().filter((name) => name.includes(unused))).toEqual([]);
    expect(names().filter((name) => name.includes(ids[0] ?? '?'))).toEqual([]);
    expect(await problemsOf(place, third.manifest.id)).toEqual([]);
  });

  test('the backup that is made last is the latest one and stays, also when the clock was set back or stands still', async () => {
    const { world } = demo();
    const { place } = await testPlace(kind);
    const now = () => world.wallClock.now();
    const ids: string[] = [];
    for (const seconds of [86_400, 0, 0]) {
      const { manifest, removed } = await backUp(world, place, { keep: 2, now: later(now(), seconds) });
      expect((await manifestOf(place)).id).toBe(manifest.id);
      expect(removed).toEqual(ids.slice(0, -1).slice(-1));
      ids.push(manifest.id);
    }
    expect(await place.list()).toEqual(ids.slice(1));
  });

  test('what is damaged or missing is named, and is not restored', async () => {
    const { world } = demo();
    const { place, names, change } = await testPlace(kind);
    const { manifest } = await backUp(world, place);
    const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 5000 ? byte ^ 1 : byte)));
    const store = names().find((name) => name === `${manifest.id}/platform.db` || name.endsWith('part-000003')) ?? '';
    const intact = manifest.worlds[0]?.files[3]?.path === 'platform.db';
    expect(kind === 'directory' || intact).toBe(true);
    change(store, flip);
    const [medium = ''] = names().filter((name) => name.startsWith('media/'));
    change(medium, () => undefined);
    const problems = await problemsOf(place, manifest.id);
    expect(problems).toContain('The part platform.db is damaged: its checksum is another one.');
    expect(problems.join('\n')).toMatch(/The medium [0-9a-f]{64} is missing: \S+ of the default world\./);
    const target = path.join(temporaryDirectory(), 'data');
    await expect(restore(place, target)).rejects.toThrow(
      'platform.db in the backup is damaged: its checksum is another one. Nothing was restored; try an earlier backup.',
    );
    expect(readdirSync(target).filter((name) => name !== 'replacing')).toEqual(['lock.db']);
  });

  test('a backup that was cut off is none, and the next one removes it', async () => {
    const { world } = demo();
    const { place, names } = await testPlace(kind);
    const { manifest } = await backUp(world, place);
    const before = names();
    const writer = await place.begin('2026-01-01t00-00-00z-aaaa');
    await writer.put({ index: 0, path: 'platform.db' }, pieces('half'));
    expect(names()).toHaveLength(before.length + 1);
    expect(await place.list()).toEqual([manifest.id]);
    await place.tidy();
    expect(names()).toEqual(before);
  });
});

test('keys are left out without a passphrase, and are opened with the right one only', async () => {
  const { world } = demo();
  const { place, names } = await testPlace('directory');
  const open = await backUp(world, place);
  expect(open.manifest.sealed).toBeNull();
  expect(names().join('\n')).not.toMatch(/secret|credentials|token|sealed/);
  const sealed = await backUp(world, place, { ...SEALED, now: later(world.wallClock.now(), 5) });
  expect(await problemsOf(place, sealed.manifest.id, 'another passphrase')).toEqual([
    `BROADSIDE_BACKUP_PASSPHRASE is not the passphrase that the keys of the backup ${sealed.manifest.id} are sealed under.`,
  ]);
  const target = () => path.join(temporaryDirectory(), 'data');
  await expect(restore(place, target(), { passphrase: 'another passphrase' })).rejects.toThrow('is not the passphrase');
  await expect(restore(place, target())).rejects.toThrow('The keys in the backup are sealed');
  const without = target();
  expect((await restore(place, without, { withoutKeys: true })).secrets).toEqual([]);
  expect(existsSync(path.join(without, 'secret.key'))).toBe(false);
  await expect(openWorld(without)).rejects.toThrow('key');
  expect((await restore(place, target(), { id: open.manifest.id })).secrets).toEqual([]);
});

test('a directory with data is not restored into, nor is a backup of a newer version', async () => {
  const { world } = demo();
  const { place, change } = await testPlace('directory');
  const { manifest } = await backUp(world, place);
  await expect(restore(place, world.dataDirectory)).rejects.toThrow('is in use by another running server');
  const full = path.join(temporaryDirectory(), 'data');
  mkdirSync(full);
  writeFileSync(path.join(full, 'notes.txt'), 'mine');
  await expect(restore(place, full)).rejects.toThrow(`${full} is not empty: it holds notes.txt.`);
  expect(readFileSync(path.join(full, 'notes.txt'), 'utf8')).toBe('mine');
  await expect(restore(place, path.join(temporaryDirectory(), 'none'), { id: 'no-such' })).rejects.toThrow(
    'There is no backup no-such',
  );
  const newer = (text: string) =>
    text.replace(/("platform": ")\d{4}[^"]*"(,\s*"production")/, '$19999_from_the_future"$2');
  change(`${manifest.id}/manifest.json`, (bytes) => Buffer.from(newer(bytes.toString())));
  await expect(restore(place, path.join(temporaryDirectory(), 'data'))).rejects.toThrow(
    'its store platform has the schema 9999_from_the_future, which this version does not know',
  );
});

test('a place holds the backups of one platform', async () => {
  const [one, other] = [demo(), await openWorld(path.join(temporaryDirectory(), 'other'))];
  const { place } = await testPlace('directory');
  const { manifest } = await backUp(one.world, place);
  await expect(backUp(other, place)).rejects.toThrow('holds backups of another platform');
  expect(await place.list()).toEqual([manifest.id]);
});

test('paths and keys in a manifest cannot lead elsewhere', async () => {
  const { world } = demo();
  const { place, change } = await testPlace('directory');
  const { manifest } = await backUp(world, place);
  for (const [from, to] of [
    ['"path": "platform.db"', '"path": "../platform.db"'],
    ['"path": ""', '"path": "../elsewhere"'],
    [`"key": "${manifest.worlds[0]?.media[0]?.key}"`, '"key": "../../../x"'],
  ] as const) {
    let was = '';
    change(`${manifest.id}/manifest.json`, (bytes) => {
      was = bytes.toString();
      expect(was).toContain(from);
      return Buffer.from(was.replace(from, to));
    });
    await expect(restore(place, path.join(temporaryDirectory(), 'data'))).rejects.toThrow('The manifest of the backup');
    change(`${manifest.id}/manifest.json`, () => Buffer.from(was));
  }
});

test('objects of an object store are in the backup, stay while it is made, and can become files', async () => {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const server = await startS3Server({ bucket: 'media', region: 'us-east-1', ...credentials });
  onTestFinished(() => server.close());
  const media = { url: `s3://media?endpoint=${server.url}`, credentials };
  const { world } = await openDemo(media);
  const { place } = await testPlace('directory');
  const release = world.blobs.hold?.();
  const keys = [...server.objects.keys()];
  const [key = ''] = keys;
  await world.blobs.delete(key);
  const { manifest } = await backUp(world, place, SEALED);
  expect(server.objects.has(key)).toBe(true);
  await release?.();
  expect(server.objects.has(key)).toBe(false);
  expect(manifest.worlds[0]?.media.map((medium) => medium.key)).toEqual(keys.sort());
  expect(await problemsOf(place, manifest.id)).toEqual([]);
  // As files, and as objects again.
  const files = path.join(temporaryDirectory(), 'data');
  await restore(place, files, SEALED);
  const copy = await openWorld(files);
  for (const one of keys) expect(await copy.blobs.size(one)).toBeGreaterThan(0);
  const other = path.join(temporaryDirectory(), 'data');
  await restore(place, other, { withoutKeys: true, objects: await openBlobStore(media, path.join(other, 'media')) });
  expect(server.objects.has(key)).toBe(true);
  expect(existsSync(path.join(other, 'media', 'blobs'))).toBe(false);
});

test('a backup while the world is written is of one instant in all stores', async () => {
  const { world, credentials } = demo();
  const { place } = await testPlace('directory');
  let done = false;
  const writing = (async () => {
    while (!done) await world.sessions.begin(credentials.user_id);
  })();
  const { manifest } = await backUp(world, place);
  done = true;
  await writing;
  const target = path.join(temporaryDirectory(), 'data');
  await restore(place, target);
  const rows = await rowsOf(target);
  expect(rows['platform.users']?.length).toBe(manifest.worlds[0]?.counts['platform.users']);
});

function later(ms: number, seconds: number): () => number {
  return () => ms + seconds * 1000;
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
