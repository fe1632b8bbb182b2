import { hash } from 'node:crypto';
import type { MemberBatch } from '../member-store.ts';
import type { ReferenceOperation } from './reference-members.ts';

/** The key of an identifier, in hexadecimal. */
export function keyOf(kind: number, value: string): string {
  return `0${kind}${hash('sha256', value).slice(0, 30)}`;
}

/** Encodes operations as the store takes them. */
export function batchOf(operations: readonly ReferenceOperation[]): MemberBatch {
  const users = operations.flatMap((operation) => operation.users);
  return {
    operations: operations.map(({ users: { length }, ...operation }) => ({ ...operation, user_count: length })),
    users: Buffer.concat(users.map((keys) => Buffer.concat([countOf(keys), Buffer.from(keys.join(''), 'hex')]))),
  };
}

function countOf(keys: readonly string[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16LE(keys.length);
  return count;
}
