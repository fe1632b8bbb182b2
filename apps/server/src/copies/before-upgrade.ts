/**
 * A copy of a world as it was before its stores were migrated, for the way back to the version before: a data directory of its own, in
 * `before-upgrade` of the data directory. The one before the last upgrade is kept.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { dataNames } from '../data-names.ts';
import type { Database } from '../db/database.ts';
import { isUsed } from '../db/store-identity.ts';
import { DiskBlobStore } from '../media/blobs/disk-store.ts';
import { MembersCopy } from '../members/members-copy.ts';
import { passOverIds } from '../world/id-state.ts';
import { fileOf } from '../world/store-locations.ts';
import { type StoreName, storeNames } from '../world/world-options.ts';
import { copyIfThere, sharesBlocks, syncNames, writeWhole } from './copy-file.ts';
import { StoresCopy } from './copy-stores.ts';
import { appear, isUnfinishedCopy } from './copy-world.ts';
import { atInstant, lookAt } from './instant.ts';

/** What the copy says of itself. */
const NOTE = 'upgrade.json';

/** Stores beyond this size are copied only where the file system can share blocks: a start would take minutes. */
const LARGE_BYTES = 4 * 2 ** 30;
/** The migration itself needs room too. */
const ROOM = 3;

/** What else a world consists of; stores, members and media are copied by parts of their own. */
const PLAIN_FILES = [
  dataNames.secretKey,
  dataNames.credentials,
  dataNames.operatorToken,
  dataNames.unfinishedDemo,
  dataNames.idState,
];

/** Migrations that stores lack, in order. */
export type PendingMigrations = Readonly<Record<StoreName, readonly string[]>>;

/** What became of a copy: its directory, or why none was made. */
export type KeptBefore = { readonly directory: string } | { readonly reason: string };

/**
 * Copies a world whose stores are open and about to be migrated, and of which nothing else is open.
 * @param pending what the stores lack; migrations that an earlier start had begun are among them
 * @returns `undefined` where nothing is lost by an upgrade, or an interrupted one goes on, whose copy is there
 * @throws the error of the file system; then there is no new copy
 */
export async function keepBeforeUpgrade(
  dataDirectory: string,
  databases: Readonly<Record<StoreName, Database>>,
  pending: PendingMigrations,
): Promise<KeptBefore | undefined> {
  if (storeNames.every((name) => pending[name].length === 0) || !(await isUsed(databases.platform))) return undefined;
  const place = path.join(path.resolve(dataDirectory), dataNames.beforeUpgrade);
  if (isInterrupted(place, pending)) return undefined;
  const made = `${place}.new`;
  // What an earlier start has left takes room. The directory is locked, and nothing else makes copies at its top.
  const left = readdirSync(path.dirname(place)).filter(
    (name) => isUnfinishedCopy(name) || name === path.basename(made),
  );
  for (const name of left) await rm(path.join(path.dirname(place), name), { recursive: true, force: true });
  const reason = await obstacle(dataDirectory);
  if (reason !== undefined) return { reason };
  await appear(made, {}, (directory) => copyInto(directory, dataDirectory, databases, pending));
  await rm(place, { recursive: true, force: true });
  await rename(made, place);
  await syncNames(path.dirname(place));
  return { directory: place };
}

/** Returns whether the copy that is there was made for an upgrade that has not ended: some store lacks the last migration that it was to get. */
function isInterrupted(place: string, pending: PendingMigrations): boolean {
  const note = path.join(place, NOTE);
  if (!existsSync(note)) return false;
  const { to }: { readonly to?: Partial<Record<StoreName, string | null>> } = JSON.parse(readFileSync(note, 'utf8'));
  return storeNames.some((name) => typeof to?.[name] === 'string' && pending[name].includes(to[name]));
}

/** Says why no copy is made; nothing where it can be. */
async function obstacle(dataDirectory: string): Promise<string | undefined> {
  if (await sharesBlocks(dataDirectory)) return undefined;
  const sizes = storeNames.flatMap((name) =>
    ['', '-wal'].map((end) => statSync(path.join(dataDirectory, `${fileOf(name)}${end}`), { throwIfNoEntry: false })),
  );
  const bytes = sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
  if (bytes > LARGE_BYTES) return `the stores have more than ${LARGE_BYTES / 2 ** 30} GB`;
  const { bavail, bsize } = await statfs(dataDirectory);
  return bavail * bsize < ROOM * bytes ? 'the disk has too little room' : undefined;
}

async function copyInto(
  directory: string,
  dataDirectory: string,
  databases: Readonly<Record<StoreName, Database>>,
  pending: PendingMigrations,
): Promise<void> {
  const at = (name: string) => path.join(dataDirectory, name);
  const parts = [
    new StoresCopy(databases, directory),
    new MembersCopy(at(dataNames.members), path.join(directory, dataNames.members)),
    DiskBlobStore.copyOf(at(dataNames.media), path.join(directory, dataNames.media)),
  ];
  try {
    for (const part of parts) await part.before();
    await atInstant(databases, () => lookAt(parts));
    for (const part of parts) await part.after();
  } finally {
    for (const part of parts) part.end();
  }
  for (const name of PLAIN_FILES) await copyIfThere(at(name), path.join(directory, name));
  // Ids that are handed out after the upgrade are not handed out again, as far as that can be known.
  await passOverIds(directory);
  const to = Object.fromEntries(storeNames.map((name) => [name, pending[name].at(-1) ?? null]));
  await writeWhole(path.join(directory, NOTE), `${JSON.stringify({ to })}\n`);
}
