/** Moves accounts between shards for the operator. */
import type { OperatorContract, OutcomeOf } from '@broadside/core';
import { countAccountRows } from '../../db/account-rows.ts';
import { inTime } from '../../in-time.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { MoveLostError, MoveTooSlowError, MoveUnderWayError } from '../../world/shards/account-moves.ts';
import { shardSettings } from '../../world/world-options.ts';
import { noAccount } from '../accounts/find.ts';
import { nameOfShard, shardNamed } from './shard-names.ts';

type Accounts = OperatorContract['admin']['accounts'];
type Handler = HandlersOf<Accounts>['move'];
type Reject = Parameters<Handler>[0]['reject'];
type Move = OutcomeOf<Accounts['move']>;

/** Milliseconds that a call waits for the end of a move. */
const PATIENCE_MS = 20_000;

export const moveAccount: Handler = async (context, { environment, account_id, to, dry_run }) => {
  const { world, reject } = context;
  const ads = world.ads[environment];
  const { shards } = ads;
  if (shards === undefined) {
    const message = `The accounts of ${environment} are in one store: there are no shards to move them to; ${shardSettings[environment]} names some`;
    throw reject.error({ error: 'ACTION_NOT_ALLOWED', message });
  }
  const target = shardNamed(reject, shards.names, 'to', to);
  // Deleted ones too: otherwise a shard would never be without accounts.
  if ((await ads.record(account_id)) === undefined) {
    throw await noAccount(context, environment, account_id);
  }
  const { shard: source } = await shards.places.ask(account_id);
  const named: Move = { account_id, from: nameOfShard(source), to, state: 'MOVED', rows: 0n, closed_ms: null };
  if (source === target) return named;
  if (dry_run) {
    const rows = await countAccountRows(shards.database(source), account_id);
    return { ...named, state: 'PLANNED', rows: BigInt(rows) };
  }
  const running = shards.moves.begin({ account_id, source, target });
  // Why an earlier one has failed need not be so any more.
  if (running.move.target !== target || running.hasFailed) throw underWay(reject, account_id, running.move.target);
  try {
    const closed_ms = await inTime(running.closed_ms, PATIENCE_MS, () => undefined);
    const rows = BigInt(running.rows);
    if (closed_ms === undefined) return { ...named, state: 'MOVING', rows };
    return { ...named, rows, closed_ms: Math.ceil(closed_ms) };
  } catch (error) {
    if (error instanceof MoveUnderWayError) {
      if (error.move.target === target) return { ...named, state: 'MOVING' };
      throw underWay(reject, account_id, error.move.target);
    }
    if (error instanceof MoveLostError) throw underWay(reject, account_id, target);
    if (!(error instanceof MoveTooSlowError)) throw error;
    const message =
      'The account is written faster than it can be copied, and stays where it is; try again when it is used less';
    throw reject.error({ error: 'LOCK_ACQUISITION_TIMEOUT', parameter: 'account_id', value: account_id, message });
  }
};

function underWay(reject: Reject, value: string, target: string): Error {
  const message = `A move of the account to ${nameOfShard(target)} is not over: what it leaves behind is removed within a minute. Try again then`;
  return reject.error({ error: 'LOCK_ACQUISITION_TIMEOUT', parameter: 'account_id', value, message });
}
