/**
 * Records of accounts on shards. A record is where the account is, and its changes are in the log there; the directory has a copy, by which
 * accounts are found. A change is noted in the directory first, then made on the shard, then copied, so that whoever comes next can
 * end what a process has begun.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { removeAccountRows } from '../../db/account-rows.ts';
import type { Writer } from '../../db/database.ts';
import { CommitUnknownError, CommitUntoldError } from '../../db/errors.ts';
import { type AccountRow, advertisingAccount } from '../account-directory.ts';
import { beginWork, endWork, type LeftWork, takeWork } from './account-work.ts';
import { DIRECTORY, placeIn, removePlace, setPlace } from './places.ts';
import { RoutedDatabase } from './routed-database.ts';
import type { AccountStores } from './shards.ts';

/** A change of a record takes less. */
const CHANGE_S = 10;
/** So does making an account. */
const CREATE_S = 60;

const KIND = { CHANGE: 'CHANGE', CREATE: 'CREATE' } as const;

/** The time between two looks whether somebody else has ended a change of the same record, in milliseconds. */
const TURN_MS = 20;

/**
 * Changes the record of an account where it is, then the copy.
 * @param change made in a write of the store of the account
 * @throws CommitUntoldError where the record has changed, and the copy could not be: others bring it up to date later
 */
export async function changeRecord<Result>(
  shards: AccountStores,
  account_id: string,
  token: string,
  change: (writer: Writer) => Promise<Result>,
): Promise<Result> {
  const work = { account_id, kind: KIND.CHANGE, source: '', target: '', state: '', token, for_s: CHANGE_S };
  // One note is of one change: whoever ends it has copied what the change made.
  while (!(await shards.directory.write((writer) => beginOrTake(writer, work)))) await delay(TURN_MS);
  const end = () => shards.directory.write((writer) => endWork.run(writer, work));
  let result: Result;
  try {
    result = await new RoutedDatabase(shards, account_id).write(change);
  } catch (error) {
    // What may be stored is copied by whoever finds the note left.
    if (!(error instanceof CommitUnknownError)) await end().catch(() => {});
    throw error;
  }
  try {
    await copyRecord(shards, account_id);
    await end();
  } catch (error) {
    throw new CommitUntoldError(error);
  }
  return result;
}

type NotedWork = Parameters<typeof beginWork.run>[1];

/** @returns false while somebody else does work of this kind on the account */
async function beginOrTake(writer: Writer, work: NotedWork): Promise<boolean> {
  return (await beginWork.run(writer, work)) > 0 || (await takeWork.run(writer, work)) > 0;
}

/** Brings the directory's copy of a record up to date. */
async function copyRecord(shards: AccountStores, account_id: string): Promise<void> {
  await shards.directory.write(async (writer) => {
    const place = await placeIn(writer, account_id);
    if (place === undefined || place.shard === DIRECTORY) return;
    // Read while nobody else can copy, so that an older state does not replace a newer one.
    const record = await advertisingAccount.queries.get(shards.database(place.shard), '', account_id);
    const copy = await advertisingAccount.queries.get(writer, '', account_id);
    if (record && copy) await advertisingAccount.queries.update(writer, record, copy);
  });
}

/** What a new account consists of. */
export interface AccountParts {
  /** Writes all that is in the store of the account. */
  readonly contents: (writer: Writer) => Promise<AccountRow>;
  /** Writes what is in the directory beside the copy of the record. */
  readonly access: (writer: Writer, row: AccountRow) => Promise<void>;
}

/** The account was taken for one whose making had been given up. */
class CreationLostError extends Error {
  override readonly name = 'CreationLostError';
}

/** Makes an account on a shard: its contents first. It is there once the directory has it. */
export async function createOn(
  shards: AccountStores,
  shard: string,
  account_id: string,
  token: string,
  { contents, access }: AccountParts,
): Promise<AccountRow> {
  const { directory } = shards;
  const work = { account_id, kind: KIND.CREATE, source: '', target: shard, state: '', token, for_s: CREATE_S };
  await directory.write((writer) => beginWork.run(writer, work));
  const row = await shards.database(shard).write(async (writer) => {
    await setPlace.run(writer, { account_id, shard, closed: false });
    return contents(writer);
  });
  await directory.write(async (writer) => {
    if ((await endWork.run(writer, work)) === 0)
      throw new CreationLostError(`making the account ${account_id} took too long`);
    await setPlace.run(writer, { account_id, shard, closed: false });
    await advertisingAccount.queries.insert(writer, row);
    await access(writer, row);
  });
  shards.places.forget();
  return row;
}

/**
 * Ends changes of records, and removes accounts, that were begun by processes that are gone.
 * @param left what was found of it
 */
export async function endLeftRecords(shards: AccountStores, left: readonly LeftWork[], token: string): Promise<void> {
  for (const { account_id, kind, target } of left) {
    const taken = { account_id, kind, token, for_s: CREATE_S };
    if ((await shards.directory.write((writer) => takeWork.run(writer, taken))) === 0) continue;
    if (kind === 'CHANGE') {
      // A store that is away is found to be so before the directory is locked.
      const place = await placeIn(shards.directory, account_id);
      await advertisingAccount.queries.get(shards.database(place?.shard ?? DIRECTORY), '', account_id);
      await copyRecord(shards, account_id);
    } else await removeFrom(shards, target, account_id);
    await shards.directory.write((writer) => endWork.run(writer, taken));
  }
}

/** Removes all that a store has of an account. */
async function removeFrom(shards: AccountStores, shard: string, account_id: string): Promise<void> {
  const database = shards.database(shard);
  await database.write((writer) => removePlace.run(writer, { account_id }));
  await removeAccountRows(database, account_id);
}
