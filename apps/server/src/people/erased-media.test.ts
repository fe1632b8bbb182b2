/** Media of people who were deleted: a platform without them is whole, and nothing new shows them. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { backUp, type Demo, openWorld, problemsOf, sharedDemo } from '../backup/testing/backed-up.ts';
import { testPlace } from '../backup/testing/places.ts';
import { checkDirectory } from '../check/check-directory.ts';
import { copyWorld } from '../copies/copy-world.ts';
import { openDatabase } from '../db/open-database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { encodePng } from '../media/testing/images.ts';
import { findAddable, findLibraryMedia, shownFacts } from '../resources/media-library/find.ts';
import { fileOf } from '../world/store-locations.ts';
import type { World } from '../world/world.ts';

const demo = sharedDemo();
const ACTOR = { user_id: null, platform: 'OPERATOR' } as const;

const check = (dataDirectory: string) =>
  checkDirectory({ dataDirectory, repair: false, shards: {}, isServed: true, objects: undefined, now: () => 0 });

async function ask(world: World, store: 'platform' | 'sandbox', sql: string): Promise<string[]> {
  const database = await openDatabase(path.join(world.dataDirectory, fileOf(store)));
  try {
    return (await database.query(sql)).map((row) => row.map(String).join(' '));
  } finally {
    await database.close();
  }
}

/** A copy of the demo in which something was changed before it was opened. */
async function changedDemo(sql: string): Promise<Demo> {
  const { world, credentials } = demo();
  const dataDirectory = path.join(temporaryDirectory(), 'data');
  await copyWorld(world, dataDirectory);
  const database = await openDatabase(path.join(dataDirectory, fileOf('platform')));
  if (sql !== '') await database.applyMigration([{ sql }]);
  await database.close();
  return { world: await openWorld(dataDirectory), credentials };
}

async function deleteOwner({ world, credentials }: Demo): Promise<void> {
  await world.deletions.schedule(ACTOR, credentials.user_id, 0);
  await world.jobs.runDue();
  expect(await world.identity.users.get(credentials.user_id)).toBeUndefined();
}

async function isWhole(world: World): Promise<void> {
  expect(await check(world.dataDirectory)).toEqual([]);
  const { place } = await testPlace('directory');
  const made = await backUp(world, place);
  expect(await problemsOf(place, made.manifest.id)).toEqual([]);
}

async function expectUnusable({ world, credentials }: Demo, media_key: string): Promise<void> {
  const account = world.ads.sandbox.account(credentials.sandbox_account_id);
  expect((await findLibraryMedia(account, world, [media_key])).size).toBe(0);
  const { media, issues } = await findAddable(account, world, credentials.user_id, [media_key]);
  expect(media.size).toBe(0);
  expect(issues).toMatchObject([{ error: 'MEDIA_NOT_FOUND' }]);
  expect(await world.media.keep(media_key)).toBe(false);
  expect(await world.media.usable(media_key)).toBeUndefined();
  // What shows them already has their size.
  expect((await shownFacts(world, [media_key])).get(media_key)).toMatchObject({ erased: true });
}

test('a platform whose media went with their owner is whole, and so are its backups', async () => {
  const copy = await changedDemo('');
  const { world, credentials } = copy;
  const own = `SELECT media_key, state, blob_key, preview_blob_key, alt_text FROM media
    WHERE owner_user_id = ${credentials.user_id} ORDER BY media_key`;
  // Kept as those are that posts show, and in no account.
  const facts = {
    owner_user_id: credentials.user_id,
    additional_owners: [],
    category: undefined,
    declared: 'image/png',
  };
  const plain = await world.media.create(facts, await world.media.receive(encodePng(4, 4)));
  expect(await world.media.keep(plain.media_key)).toBe(true);
  const before = await ask(world, 'platform', own);
  const held = await ask(world, 'sandbox', 'SELECT id FROM library_media ORDER BY id');
  await deleteOwner(copy);
  await isWhole(world);
  const left = await ask(world, 'platform', own);
  expect(left.map((row) => row.split(' ').slice(1).join(' '))).toEqual(left.map(() => 'erased null null null'));
  // Those that no account has had are gone wholly.
  const keys = left.map((row) => row.split(' ')[0] ?? '');
  expect(left.length).toBeLessThan(before.length);
  expect(keys.filter((key) => !held.includes(key))).toEqual([]);
  const [key = ''] = keys;
  await expectUnusable(copy, key);
  expect(
    await ask(world, 'sandbox', `SELECT id FROM library_media WHERE deleted = 0 AND id IN ('${keys.join("','")}')`),
  ).toEqual([]);
});

test('media that earlier versions have erased are recognised', async () => {
  const [key = ''] = await ask(demo().world, 'sandbox', 'SELECT id FROM library_media ORDER BY id');
  const gone = await changedDemo(
    `UPDATE media SET blob_key = 'gone' || printf('%x', id), preview_blob_key = NULL WHERE media_key = '${key}'`,
  );
  const missing = (await check(gone.world.dataDirectory)).filter(({ what }) => what.includes('are missing'));
  expect(missing).toEqual([]);
  const { place } = await testPlace('directory');
  const made = await backUp(gone.world, place);
  expect(await problemsOf(place, made.manifest.id)).toEqual([]);
  await expectUnusable(gone, key);
});
