/** Entities that have members: custom audiences and do-not-reach lists. */
import type { KindName } from '../db/change-log.ts';
import type { DescribedTypes, Entity, RowOf } from '../db/entity.ts';
import type { AccountStore, AccountTypes } from '../world/account-store.ts';
import type { AudienceWithMembers, MemberTree } from './members/member-tree.ts';
import type { ActiveCount } from './part-count.ts';

/** Columns of an entity that has members. */
export interface ProcessedColumns {
  /** True where members came that are not counted yet. */
  processing: boolean;
  /** Matched people who are active; null until they are counted for the first time. */
  matched_count: number | null;
  /** Added to that for other accounts, where audiences can be shared. */
  size_offset?: number;
}

interface ProcessedTypes extends AccountTypes {
  readonly row: AccountTypes['row'] & ProcessedColumns & AudienceWithMembers;
  readonly derived: ProcessedColumns;
}
/** An entity that is processed. */
export type ProcessedEntity = Entity<KindName, ProcessedTypes & DescribedTypes>;
/** A row of one. */
export type ProcessedRow = RowOf<ProcessedEntity>;

/** Operations on members that processing uses. */
export interface ProcessedMembers {
  /** Waits until everything is merged that was acknowledged for an audience. */
  settle(audience: string): Promise<void>;
  /** Counts matched people who are active. */
  countActive(audience: MemberTree): Promise<ActiveCount>;
  /** Removes all members of an audience. */
  drop(audience: string): Promise<void>;
}

/** Whether an entity has members. */
export function isProcessed(entity: Entity): entity is ProcessedEntity {
  return 'processing' in entity.table && 'matched_count' in entity.table;
}

/** Whether an account is deleted, or not there. */
export async function isDeleted(account: AccountStore): Promise<boolean> {
  return (await account.record())?.deleted !== false;
}
