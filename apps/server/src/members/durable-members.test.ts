import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { DurableMembers } from './durable-members.ts';
import type { MemberStore } from './member-store.ts';
import { batchOf, keyOf } from './testing/batches.ts';

const NOW = 1_800_000_000;
const audience = 'production/a1';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-members-'));
const open: MemberStore[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(directory, { recursive: true, force: true });
});

function start(): DurableMembers {
  const store = new DurableMembers({ directory });
  open.push(store);
  store.onStart(async () => {
    await store.setPeople([{ user_id: 7n, identifiers: [[1, 'a@b.example']] }]);
    await store.peopleLoaded();
  });
  return store;
}

const email = keyOf(1, 'a@b.example');

function updateOf(...keys: string[]) {
  return batchOf([
    {
      operation_type: 'Update',
      effective_s: NOW,
      expires_s: NOW + 100,
      default_effective: true,
      default_expires: true,
      users: [keys],
    },
  ]);
}

test('what was acknowledged is there after a restart', async () => {
  const first = start();
  await first.append(audience, updateOf(email), NOW);
  await first.close();
  const second = start();
  await second.settle(audience);
  const { user_ids, from_s, to_s, events_s, version } = await second.matched(audience);
  expect([[...user_ids], [...from_s], [...to_s], [...events_s]]).toEqual([[7n], [NOW], [NOW + 100], [NOW]]);
  expect(version).toBeGreaterThan(0);
});
