import type { MemberBatch } from '../member-store.ts';
import { batchOf, keyOf } from './batches.ts';
import type { ReferenceOperation } from './reference-members.ts';

export const CRASH_NOW = 1_800_000_000;
const USERS = 20;

/** Requests go to three audiences in turn. */
export function crashAudience(number: number): string {
  return `production/crash${number % 3}`;
}

/** The keys of a request, which no other has. */
export function crashKeys(number: number): string[] {
  return Array.from({ length: USERS }, (_, i) => keyOf(1 + (i % 6), `${number} ${i}`));
}

/** A request of several operations: what it adds first, it removes in part, and adds again with another end. */
export function crashBatch(number: number): MemberBatch {
  const keys = crashKeys(number);
  const base = {
    effective_s: CRASH_NOW,
    expires_s: CRASH_NOW + 1_000_000,
    default_effective: false,
    default_expires: false,
  };
  const operations: ReferenceOperation[] = [
    { ...base, operation_type: 'Update', users: keys.map((key) => [key]) },
    { ...base, operation_type: 'Delete', users: keys.slice(0, 5).map((key) => [key]) },
    { ...base, operation_type: 'Update', expires_s: CRASH_NOW + 2_000_000, users: [keys.slice(0, 2)] },
  ];
  return batchOf(operations);
}
