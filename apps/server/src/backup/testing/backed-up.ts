/** A small platform, and backups of it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import type { Credentials } from '../../demo/credentials.ts';
import { ensureDemo } from '../../demo/demo.ts';
import type { BlobLocation } from '../../media/blobs/open-blob-store.ts';
import { World } from '../../open-world.ts';
import { type BackupOptions, createBackup, type MadeBackup } from '../create-backup.ts';
import type { BackupPlace } from '../place.ts';
import { type RestoredBackup, type RestoreOptions, restoreBackup } from '../restore-backup.ts';
import { verifyBackup } from '../verify-backup.ts';
import { openSource } from '../world-source.ts';

/** For backups that have the keys of the platform, sealed. Each sealing and opening takes as long as a guess may cost. */
export const SEALED = { passphrase: 'a passphrase of tests' } as const;

const urls = { api: 'http://api.test', ads: 'http://ads.test', sandbox: 'http://sandbox.test' };

/** Opens a world until the test has ended. */
export async function openWorld(dataDirectory: string, media?: BlobLocation): Promise<World> {
  const world = await World.open({ dataDirectory, media });
  onTestFinished(() => world.close());
  return world;
}

/** A world with the demo, which has people, posts, media and advertising, and its credentials. */
export interface Demo {
  readonly world: World;
  readonly credentials: Credentials;
}

/** Opens a world with the demo for all tests of a file, of which none may change what another one looks at. */
export function sharedDemo(): () => Demo {
  let demo: Demo | undefined;
  const root = mkdtempSync(path.join(tmpdir(), 'broadside-backup-'));
  beforeAll(async () => {
    demo = await makeDemo(path.join(root, 'data'), undefined);
  });
  afterAll(async () => {
    await demo?.world.close();
    rmSync(root, { recursive: true, force: true });
  });
  return () => {
    if (!demo) throw new TypeError('the demo is made before the tests');
    return demo;
  };
}

/** Makes a world with the demo until the test has ended. */
export async function openDemo(media?: BlobLocation): Promise<Demo> {
  const demo = await makeDemo(path.join(temporaryDirectory(), 'data'), media);
  onTestFinished(() => demo.world.close());
  return demo;
}

async function makeDemo(dataDirectory: string, media: BlobLocation | undefined): Promise<Demo> {
  const world = await World.open({ dataDirectory, media });
  await ensureDemo(world, urls, { advertisement: true });
  return { world, credentials: JSON.parse(readFileSync(path.join(dataDirectory, 'credentials.json'), 'utf8')) };
}

/** Backs up an open world, without its keys unless they are sealed. */
export function backUp(world: World, place: BackupPlace, options: Partial<BackupOptions> = {}): Promise<MadeBackup> {
  return createBackup({
    place,
    sources: [openSource('', world.dataDirectory, world)],
    scratch: path.join(world.dataDirectory, 'exports', 'backup'),
    passphrase: undefined,
    secrets: { 'operator.token': 'the-token-of-the-operator\n' },
    keep: undefined,
    now: () => world.wallClock.now(),
    onProgress: () => {},
    ...options,
  });
}

/** Settings of a server that has all stores as files of its data directory. */
export const OWN_FILES: RestoreOptions['config'] = {
  stores: {},
  shards: {},
  media: undefined,
  shared: undefined,
  acceptWeakDurability: false,
};

/** Restores into a directory. */
export function restore(
  place: BackupPlace,
  dataDirectory: string,
  options: Partial<RestoreOptions> = {},
): Promise<RestoredBackup> {
  return restoreBackup({
    place,
    id: undefined,
    dataDirectory,
    passphrase: undefined,
    withoutKeys: false,
    objects: undefined,
    config: OWN_FILES,
    now: () => Date.now(),
    onProgress: () => {},
    ...options,
  });
}

/** What is wrong with a backup. */
export async function problemsOf(place: BackupPlace, id: string, passphrase?: string) {
  const scratch = path.join(temporaryDirectory(), 'verify');
  return (await verifyBackup({ place, id, scratch, passphrase, onProgress: () => {} })).problems;
}
