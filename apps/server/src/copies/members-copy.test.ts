/** Members of audiences in copies that are made while they are written and merged. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { DurableMembers } from '../members/durable-members.ts';
import type { MemberBatch } from '../members/member-store.ts';

/** One person with one key, who is in the audience from a time on. */
function batchOf(person: number): MemberBatch {
  const users = new Uint8Array(18);
  users[0] = 1;
  new DataView(users.buffer).setUint32(2, person, true);
  new DataView(users.buffer).setUint32(6, 1 << 27, true);
  return {
    operations: [
      {
        operation_type: 'Update',
        effective_s: 1000,
        expires_s: 2_000_000_000,
        default_effective: true,
        default_expires: true,
        user_count: 1,
      },
    ],
    users,
  };
}

const open = (directory: string): DurableMembers => {
  const members = new DurableMembers({ directory });
  onTestFinished(() => members.close());
  return members;
};

test('a copy has the members that were acknowledged before its instant, and none that came after', async () => {
  const root = temporaryDirectory();
  const members = open(path.join(root, 'one'));
  mkdirSync(path.join(root, 'one'));
  const audiences = ['sandbox/a', 'sandbox/b'];
  let next = 0;
  const add = async (count: number) => {
    for (let i = 0; i < count; i++) await members.append(audiences[next % 2] ?? '', batchOf(++next), 1000);
  };
  await add(40);
  for (const audience of audiences) await members.settle(audience);
  const target = path.join(root, 'copy');
  mkdirSync(target);
  const copy = members.beginCopy(target);
  await copy.before();
  // Merged after the audiences were copied, in segments that go when they are read.
  for (let segment = 0; segment < 3; segment++) {
    await add(20);
    for (const audience of audiences) await members.settle(audience);
    await members.sweep(1001);
  }
  await add(20);
  copy.look();
  const atInstant = next;
  await add(30);
  for (const audience of audiences) await members.settle(audience);
  await copy.after();
  copy.end();
  const copied = open(target);
  const counted = async (store: DurableMembers) => {
    let keys = 0;
    for (const audience of audiences) {
      await store.settle(audience);
      keys += (await store.figures(audience)).keys;
    }
    return keys;
  };
  expect(await counted(copied)).toBe(atInstant);
  expect(await counted(members)).toBe(next);
});
