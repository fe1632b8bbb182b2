/** Chooses calls of a journal. */
import type { ControlContract, ParamsOf } from '@broadside/core';
import { isForAccount, isOfUser, type JournalCall, matchesOperation } from '@broadside/core/resources/control/journal';

type ListParams = ParamsOf<ControlContract['control']['journal']['list']>;

/** Properties of the calls that are asked for. */
export type Filter = Omit<ListParams, 'world_id' | 'count' | 'cursor'>;

/** Returns whether a call is one of those that are asked for. */
export function isChosen(
  { operation, status, account_id, user_id, app_id, since, text, failed, writes }: Filter,
  call: JournalCall,
): boolean {
  if (operation !== undefined && !matchesOperation(operation, call.operation)) return false;
  if (status !== undefined && call.status !== status) return false;
  if (account_id !== undefined && !isForAccount(call, account_id)) return false;
  if (user_id !== undefined && !isOfUser(call, user_id)) return false;
  if (app_id !== undefined && call.caller?.app_id !== app_id) return false;
  if (since !== undefined && call.time < since) return false;
  if (failed !== undefined && failed !== (call.status >= 400 || call.delivery === 'LOST')) return false;
  if (writes !== undefined && call.writes !== writes) return false;
  return text === undefined || hasText(call, text);
}

function hasText({ id, path, query, params, body, answer }: JournalCall, text: string): boolean {
  const places = [id, path, query, body ?? '', answer.body ?? ''];
  return places.some((place) => place.includes(text)) || valuesHave(params, text);
}

function valuesHave(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null) return `${value}`.includes(text);
  return Object.values(value).some((member) => valuesHave(member, text));
}
