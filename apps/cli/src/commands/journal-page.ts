import type { ControlOperation } from '@broadside/core';
import { JournalCall } from '@broadside/core/resources/control/journal';
import type { Params } from './params.ts';

/** Calls operations in the chosen world. */
export type WorldCall = (operation: ControlOperation, params?: Params) => Promise<unknown>;

/** A page of calls. */
export function pageOf(value: unknown): { readonly data: readonly JournalCall[]; readonly next_cursor: string | null } {
  const { data, next_cursor }: { readonly data?: unknown; readonly next_cursor?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  return { data: JournalCall.array().parse(data), next_cursor: typeof next_cursor === 'string' ? next_cursor : null };
}
