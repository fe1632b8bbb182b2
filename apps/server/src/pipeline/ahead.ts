/**
 * Reads that calls begin before it is known whether their callers may make them, where the store of the account is on a server: they share
 * the round trip in which the account is read. What the caller may see is decided as for any call, and then they are there.
 */
import { type AnyOperation, isRead, isStorable } from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';
import type { Reader } from '../db/access.ts';
import type { AheadReads } from '../db/ahead-reads.ts';
import type { AdsStore } from '../world/ads-store.ts';
import { beginnerOfWrites } from './ahead-of-writes.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import type { PipelineContext } from './context-for.ts';
import type { ReadCall } from './read-call.ts';

/** Begins the reads that a handler will ask for with these parameters. */
interface Beginner {
  begin(reads: AheadReads, account_id: string, params: unknown): void;
}

/** The same with the types of one operation. */
interface BeginnerOf<Params> {
  begin(reads: AheadReads, account_id: string, params: Params): void;
}

const beginners = new WeakMap<object, Beginner>();

/** Says which reads a handler will ask for. */
export function beginsWith<Params>(handler: object, beginner: BeginnerOf<Params>): void {
  beginners.set(handler, beginner);
}

/**
 * Says that a handler will ask for what another one does, with other parameters.
 * @param others gives the parameters of the other one
 * @param further what it asks for besides
 */
export function beginsAs<Params, Others>(
  handler: object,
  other: object,
  others: (params: Params) => Others,
  further?: (reader: Reader, account_id: string, params: Params) => Awaitable<unknown>,
): void {
  const beginner = beginners.get(other);
  if (beginner === undefined) throw new TypeError('the other handler begins nothing');
  beginsWith(handler, {
    begin: (reads, account_id, params: Params) => {
      beginner.begin(reads, account_id, others(params));
      if (further !== undefined) reads.begin((reader) => further(reader, account_id, params));
    },
  });
}

/** What calls of an operation begin. */
export interface Ahead {
  /** Has the place of the account asked for, in the round trip that tells who calls. Nothing of the call depends on it. */
  locate(store: AdsStore, call: Call): void;
  /** Begins the reads of a call; `undefined` where nothing is gained by it. */
  begin(store: AdsStore, call: Call, caller: Caller, read: () => ReadCall): AheadReads | undefined;
}

/** Returns what begins the reads of calls of an operation, in stores on servers; `undefined` where none are ever begun. */
export function aheadOf(operation: AnyOperation, handler: object): Ahead | undefined {
  if (operation.kind !== 'ads' || !('capability' in operation.access)) return undefined;
  const isWrite = !isRead(operation);
  const begin = isWrite ? undefined : beginners.get(handler)?.begin;
  // Replicas answer also what nothing is known of before.
  const gains = (store: AdsStore) => isWrite || begin !== undefined || store.hasReplicas;
  return {
    locate: (store, call) => {
      const account_id = accountOf(call);
      if (account_id !== undefined && gains(store)) store.locate(account_id);
    },
    begin: (store, call, caller, read) => {
      const account_id = accountOf(call);
      if (caller.kind !== 'user' || account_id === undefined || !gains(store)) return undefined;
      if (call.problem !== undefined || call.receive !== undefined) return undefined;
      const { values, issues } = read();
      if (issues.length > 0) return undefined;
      const reads = store.ahead(account_id, caller.user_id, isWrite);
      if (reads === undefined) return undefined;
      if (isWrite) beginnerOfWrites(store.entities)(reads, account_id, values);
      else begin?.(reads, account_id, values);
      return reads;
    },
  };
}

function accountOf({ params: { account_id } }: Call): string | undefined {
  return typeof account_id === 'string' && isStorable(account_id) ? account_id : undefined;
}

/** The context of a call whose account gives what was begun: to reads, or to the draft of its first write. */
export function overAhead(context: PipelineContext, reads: AheadReads, operation: AnyOperation): PipelineContext {
  if (!('account' in context)) return context;
  const { account } = context;
  return { ...context, account: isRead(operation) ? account.over(reads) : account.drafting(reads) };
}
