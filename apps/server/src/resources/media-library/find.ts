import type { Reject } from '@broadside/core';
import type { Actor } from '../../db/change-log.ts';
import type { AccountReader, AccountStore } from '../../world/account-store.ts';
import type { World } from '../../world/world.ts';
import { type LibraryMediaRow, libraryMedia } from './entity.ts';
import { findAddable, type LibraryFacts, libraryFacts } from './facts.ts';
import { putInLibrary } from './writes.ts';

export { type LibraryMediaRow, libraryMedia } from './entity.ts';
export { findAddable, type LibraryFacts, libraryFacts, shownFacts } from './facts.ts';
export { listHeld } from './held.ts';
export { deleteFromLibrary } from './writes.ts';

/** Returns the facts of those media that are in the account's library, by key. */
export async function findLibraryMedia(
  account: AccountReader,
  world: Pick<World, 'media'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, LibraryFacts>> {
  const held = await heldAmong(account, keys);
  return libraryFacts(world, [...held.keys()]);
}

/** Returns the records of the account's library with these keys; deleted ones are left out. */
async function heldAmong(account: AccountReader, keys: readonly string[]): Promise<Map<string, LibraryMediaRow>> {
  const held = new Map<string, LibraryMediaRow>();
  for (const key of new Set(keys)) {
    const row = await account.of(libraryMedia).get(key);
    if (row && !row.deleted) held.set(key, row);
  }
  return held;
}

/** Whoever adds media. */
export interface Adding {
  readonly account: AccountStore;
  readonly world: Pick<World, 'media'>;
  readonly actor: Actor;
  /** The caller, whose own uploads may be added; null for the operator. */
  readonly user_id: string | null;
}

/**
 * Adds media to the account's library, as posting them does. Media that are in it already stay as they are.
 * @param reject rejects media that may not be added (see {@link findAddable}); nothing is added then
 * @param parameter the parameter that names them
 * @returns the facts of all of them, by key
 */
export async function addToLibrary(
  reject: Reject<'MEDIA_NOT_FOUND'>,
  { account, world, actor, user_id }: Adding,
  keys: readonly string[],
  parameter = 'media_key',
): Promise<ReadonlyMap<string, LibraryFacts>> {
  const held = await findLibraryMedia(account, world, keys);
  const missing = keys.filter((key) => !held.has(key));
  if (missing.length === 0) return held;
  const { media, issues } = await findAddable(account, world, user_id, missing, parameter);
  reject.check(issues);
  // Before they are in the library: if an upload expired in between, the record would refer to nothing.
  for (const key of missing) {
    if (!(await world.media.keep(key))) throw reject.error({ error: 'MEDIA_NOT_FOUND', parameter, value: key });
  }
  await account.write(actor, async (writer) => {
    for (const facts of media.values()) await putInLibrary(writer, facts);
  });
  return new Map([...held, ...media]);
}
