/** Rows that readers have kept, as transactions use them: never in place of what the transaction itself has written. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { statement } from '../db/statement.ts';
import { World } from '../open-world.ts';
import { type CampaignRow, campaign } from '../resources/campaigns/find.ts';
import { campaigns } from '../resources/campaigns/table.ts';
import type { AccountStore, AccountWriter } from './account-store.ts';

const actor = { user_id: '7', platform: 'API_OTHER' } as const;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-kept-'));
let world: World;
let account: AccountStore;

beforeAll(async () => {
  world = await World.open({ dataDirectory: directory, kept: { freeze: true } });
  account = await newAccount();
});

afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

async function newAccount(): Promise<AccountStore> {
  const ads = world.ads.production;
  const terms = { name: 'A', business_name: null, timezone: 'UTC', user_id: '7', features: [] };
  return ads.account((await ads.createAccount(actor, terms)).id);
}

function fields(name: string) {
  return {
    name,
    budget_optimization: 'CAMPAIGN',
    entity_status: 'PAUSED',
    purchase_order_number: null,
    daily_budget_amount_local_micro: null,
    total_budget_amount_local_micro: null,
    funding_instrument_id: 'f1',
    duration_in_days: null,
    standard_delivery: true,
    frequency_cap: null,
    currency: 'USD',
  } as const;
}

const { account_id } = campaigns;
const renameAll = statement(
  { account_id, name: campaigns.name },
  (args) => sql`UPDATE ${campaigns} SET "name" = ${args.name} WHERE ${eq(account_id, args.account_id)}`,
);

describe('a row in a transaction', () => {
  test('is the one that a reader has kept, until the transaction touches it', async () => {
    const row = await account.write(actor, (writer) => writer.of(campaign).insert(fields('kept')));
    const kept = await account.of(campaign).get(row.id);
    await account.write(actor, async (writer) => {
      expect(await writer.of(campaign).get(row.id)).toBe(kept);
      const changed = await writer.of(campaign).update(kept as CampaignRow, { name: 'changed' });
      expect(await writer.of(campaign).get(row.id)).toEqual(changed);
      expect(await account.of(campaign).get(row.id)).toBe(kept);
    });
    expect(await account.of(campaign).get(row.id)).toMatchObject({ name: 'changed' });
  });

  test('that a transaction has written and undone is not kept', async () => {
    const row = await account.write(actor, (writer) => writer.of(campaign).insert(fields('before')));
    const undone = account.write(actor, async (writer) => {
      await writer.of(campaign).update(row, { name: 'undone' });
      expect(await writer.of(campaign).get(row.id)).toMatchObject({ name: 'undone' });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await account.of(campaign).get(row.id)).toMatchObject({ name: 'before' });
  });

  test('is read once for many writes', async () => {
    const { id } = await account.write(actor, (writer) => writer.of(campaign).insert(fields('once')));
    const get = vi.spyOn(campaign.queries, 'get');
    await Promise.all(Array.from({ length: 20 }, () => account.write(actor, (writer) => writer.of(campaign).get(id))));
    expect(get).toHaveBeenCalledTimes(1);
    get.mockRestore();
  });

  test('is what the database holds, whatever was written before and beside it', async () => {
    const rows = await account.write(actor, async (writer) => {
      const made: CampaignRow[] = [];
      for (const name of ['a', 'b', 'c']) made.push(await writer.of(campaign).insert(fields(name)));
      return made;
    });
    const ids = rows.map((row) => row.id);
    const same = async (writer: AccountWriter) => {
      for (const one of ids) {
        const { data } = await writer
          .of(campaign)
          .list({ campaign_ids: [one], count: 1, with_deleted: true, with_draft: true, with_total_count: false });
        expect(await writer.of(campaign).get(one)).toEqual(data[0]);
      }
    };
    const step = fc.tuple(
      fc.constantFrom('update', 'rename', 'read', 'fail'),
      fc.nat({ max: 2 }),
      fc.string({ maxLength: 3, unit: 'grapheme-ascii' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 6 }), async (bodies) => {
        const writes = bodies.map((steps) =>
          account.write(actor, async (writer) => {
            for (const [kind, which, name] of steps) {
              await same(writer);
              if (kind === 'fail') throw new Error('fail');
              if (kind === 'rename') await writer.run(renameAll, { name });
              if (kind !== 'update') continue;
              const row = await writer.of(campaign).get(ids[which] ?? '');
              if (row) await writer.of(campaign).update(row, { name });
            }
            await same(writer);
          }),
        );
        // A body that found another row than the database holds fails with an error of its own.
        const reads = Promise.all(ids.map((one) => account.of(campaign).get(one)));
        for (const result of await Promise.allSettled(writes)) {
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ message: 'fail' });
        }
        await reads;
      }),
      { numRuns: 40 },
    );
  });
});

describe('the record of an account', () => {
  test('in a write that waits beside its deletion is the deleted one', async () => {
    const other = await newAccount();
    await other.write(actor, (writer) => writer.of(campaign).insert(fields('first')));
    const deleting = world.ads.production.updateAccount(actor, other.account_id, () => ({ deleted: true }));
    const writing = other.write(actor, (writer) => writer.of(campaign).insert(fields('second')));
    await deleting;
    await expect(writing).rejects.toMatchObject({ issues: [{ error: 'ACCOUNT_DELETED' }] });
    await expect(other.write(actor, async () => {})).rejects.toMatchObject({ issues: [{ error: 'ACCOUNT_DELETED' }] });
  });

  test('in a write that waits beside a deletion that is undone is not the deleted one', async () => {
    const other = await newAccount();
    const undone = world.ads.production.database.write(async (writer) => {
      await writer.run('UPDATE accounts SET deleted = 1 WHERE id = ?', [other.account_id]);
      throw new Error('undo');
    });
    const writing = other.write(actor, (writer) => writer.of(campaign).insert(fields('stays')));
    await expect(undone).rejects.toThrow('undo');
    expect(await writing).toMatchObject({ name: 'stays' });
  });
});
