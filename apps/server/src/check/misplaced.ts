/** Whether each account of an environment with shards is whole in one store, and the directory knows in which. */
import type { Database } from '../db/database.ts';
import {
  type AccountsOfStore,
  accountsAtWork,
  accountsOfStore,
  placeRepairs as repairs,
} from '../db/place-findings.ts';
import type { RowFinding } from '../db/store-findings.ts';
import type { Environment } from '../world/environment.ts';
import { DIRECTORY } from '../world/shards/places.ts';
import { shardSettings } from '../world/world-options.ts';

/** A store that holds accounts. */
export interface HoldingStore {
  /** Name of the shard; empty for the store of the directory. */
  readonly shard: string;
  readonly database: Pick<Database, 'query'>;
}

/** Something that is wrong with an account in a store. */
export interface Misplaced extends RowFinding {
  readonly shard: string;
  /** What is done about it by a repair, or by hand. */
  readonly remedy: string;
}

const RESTORE = 'restore all stores from one backup';

/**
 * Compares what the stores of an environment have of its accounts. Accounts that are being made, changed or moved are passed over.
 * @param stores the directory first
 * @param isServed a server writes meanwhile: what is not found twice was only seen at different times
 */
export async function findMisplaced(
  environment: Environment,
  stores: readonly HoldingStore[],
  isServed: boolean,
): Promise<Misplaced[]> {
  const found = await compare(environment, stores);
  if (!isServed || found.length === 0) return found;
  const keyOf = ({ shard, table, id, what }: Misplaced) => [shard, table, id, what].join('\n');
  const again = new Set((await compare(environment, stores)).map(keyOf));
  return found.filter((one) => again.has(keyOf(one)));
}

async function compare(environment: Environment, stores: readonly HoldingStore[]): Promise<Misplaced[]> {
  const states = new Map<string, AccountsOfStore>();
  for (const { shard, database } of stores) states.set(shard, await accountsOfStore(database));
  const [first] = stores;
  const directory = states.get(DIRECTORY);
  if (first === undefined || directory === undefined) throw new TypeError('the directory is among the stores');
  const working = await accountsAtWork(first.database);
  const ids = new Set(
    [...states.values()].flatMap(({ places, records, rows }) => [...places.keys(), ...records.keys(), ...rows.keys()]),
  );
  return [...ids]
    .filter((id) => !working.has(id))
    .toSorted()
    .flatMap((id) => findingsOf(id, { environment, directory, states }));
}

interface Compared {
  readonly environment: Environment;
  readonly directory: AccountsOfStore;
  readonly states: ReadonlyMap<string, AccountsOfStore>;
}

function findingsOf(id: string, compared: Compared): Misplaced[] {
  const { environment, directory, states } = compared;
  const home = directory.places.get(id)?.shard ?? DIRECTORY;
  const state = states.get(home);
  if (state === undefined) {
    const what = `it is on the shard ${home}, which ${shardSettings[environment]} lacks`;
    return [byHand(DIRECTORY, 'account_shards', id, what, `add ${home}=URL to ${shardSettings[environment]}`)];
  }
  if (!directory.records.has(id)) return unknown(id, compared);
  const others = [...states].filter(([shard]) => shard !== home);
  const isElsewhere = others.some(([shard, one]) => claims(shard, one, id) && one.records.has(id));
  const left = others.flatMap(([shard, one]) => leftIn(shard, one, id, home, state));
  return [
    ...(home === DIRECTORY ? [] : atHome(id, home, state, directory, isElsewhere)),
    ...closed(id, home, state),
    ...left,
  ];
}

/** Of an account that the directory has no record of. */
function unknown(id: string, { directory, states }: Compared): Misplaced[] {
  const held = [...states].filter(
    ([shard, { records, rows }]) => shard !== DIRECTORY && (records.has(id) || rows.has(id)),
  );
  const what = 'the directory knows no such account';
  if (held.length > 0) return held.map(([shard]) => byHand(shard, 'accounts', id, what, RESTORE));
  // Its rows in the directory itself, if there are any, are found as those of an account that does not exist.
  return [...states]
    .filter(([, { places }]) => places.has(id) && !directory.rows.has(id))
    .map(([shard]) => ({
      ...byHand(shard, 'account_shards', id, 'it says where an account is that does not exist', 'remove it'),
      repair: [repairs.forget(id)],
    }));
}

/** What the shard lacks that the directory sends its calls to. */
function atHome(
  id: string,
  shard: string,
  state: AccountsOfStore,
  directory: AccountsOfStore,
  isElsewhere: boolean,
): Misplaced[] {
  const record = state.records.get(id);
  if (record === undefined) {
    const what = 'the directory says that it is on this shard, which does not have it';
    return [byHand(shard, 'accounts', id, what, RESTORE)];
  }
  if (!claims(shard, state, id)) {
    const what = 'the shard does not say that the account is on it, so nothing of it can be changed';
    if (isElsewhere) return [byHand(shard, 'account_shards', id, what, RESTORE)];
    return [{ ...byHand(shard, 'account_shards', id, what, 'say so'), repair: [repairs.place(id, shard)] }];
  }
  if (record === directory.records.get(id)) return [];
  const what = `the copy of its record differs from that of the shard ${shard}`;
  return [{ ...byHand(DIRECTORY, 'accounts', id, what, 'copy it'), repair: [repairs.copy(id, record)] }];
}

function closed(id: string, shard: string, { places }: AccountsOfStore): Misplaced[] {
  if (places.get(id)?.closed !== true) return [];
  const what = 'it is closed for a move that nobody makes, so nothing of it can be changed';
  return [{ ...byHand(shard, 'account_shards', id, what, 'open it'), repair: [repairs.open(id)] }];
}

/** What a store has of an account that is in another one. */
function leftIn(shard: string, state: AccountsOfStore, id: string, home: string, whole: AccountsOfStore): Misplaced[] {
  const isDirectory = shard === DIRECTORY;
  const isClaimed = !isDirectory && claims(shard, state, id);
  const rows = (state.rows.get(id) ?? 0) + (!isDirectory && state.records.has(id) ? 1 : 0);
  if (rows === 0 && !isClaimed) return [];
  const place = home === DIRECTORY ? "in the directory's store" : `on the shard ${home}`;
  const what =
    rows === 0
      ? `it says that it has an account that is ${place}`
      : `${rows} rows belong to an account that is ${place}`;
  const isWhole = whole.records.has(id) && claims(home, whole, id);
  if (!isWhole || isClaimed) return [byHand(shard, 'accounts', id, what, RESTORE)];
  const repair = repairs.remove(id, state.tables, isDirectory);
  return [{ ...byHand(shard, 'accounts', id, what, 'remove them'), repair }];
}

/** Returns whether a store says that an account is in it. */
function claims(shard: string, { places }: AccountsOfStore, id: string): boolean {
  return (places.get(id)?.shard ?? DIRECTORY) === shard;
}

function byHand(shard: string, table: string, id: string, what: string, remedy: string): Misplaced {
  return { shard, table, id, what, remedy, repair: [] };
}
