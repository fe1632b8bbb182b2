/**
 * The operations of the specification as literals. Routes, checks and documents are all derived from the contract, so a slip
 * in it would be consistent everywhere: the walks compare it with these rows.
 */
import type { Capability } from '@broadside/core';

/** Requirements on one operation. Names are separated by white space. */
export interface OperationRow {
  /** Method and path; absent for procedures of the operator. */
  readonly route?: string;
  /** Required parameters beside those of the path. */
  readonly required?: string;
  readonly optional?: string;
  /** The attributes that a list sorts by, in either direction. */
  readonly sortable?: string;
  /** The largest number of items in a batch. */
  readonly items?: number;
  /** The parameters of the items of a batch, where they differ from the operations for one. */
  readonly itemParams?: Readonly<
    Partial<Record<'Create' | 'Update' | 'Delete', Pick<OperationRow, 'required' | 'optional'>>>
  >;
  /** Needed on the account in the path. */
  readonly capability?: Capability;
  readonly sandboxOnly?: true;
  /** Of several operations with one route, the one that this value of the parameter `command` selects. */
  readonly command?: string;
}

/** Rows by the ids of their operations. */
export type OperationRows = Readonly<Record<string, OperationRow>>;

/** The parameters that lists of stored entities have in common. */
export const PAGE = 'count cursor sort_by with_deleted with_total_count';
