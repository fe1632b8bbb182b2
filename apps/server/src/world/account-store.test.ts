/** The account's store on real files: the only way to account data, and what every list and write rests on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { World } from '../open-world.ts';
import { campaign as campaigns } from '../resources/campaigns/find.ts';
import type { AccountStore } from './account-store.ts';
import { ManualClock } from './clock.ts';
import { SeededRandom } from './random.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-store-'));
const clock = new ManualClock(Date.UTC(2026, 0, 1));
const actor = { user_id: '7', platform: 'API_OTHER' } as const;
let world: World;

beforeAll(async () => {
  world = await World.open({ dataDirectory: directory, clock, random: new SeededRandom('stores') });
});

afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

async function newAccount(): Promise<AccountStore> {
  const ads = world.ads.production;
  const { id } = await ads.createAccount(actor, {
    name: 'A',
    business_name: null,
    timezone: 'UTC',
    user_id: '7',
    features: [],
  });
  return ads.account(id);
}

function campaign(name: string, total: bigint | null = null) {
  return {
    name,
    budget_optimization: 'CAMPAIGN',
    entity_status: 'PAUSED',
    purchase_order_number: null,
    daily_budget_amount_local_micro: null,
    total_budget_amount_local_micro: total,
    funding_instrument_id: 'f1',
    duration_in_days: null,
    standard_delivery: true,
    frequency_cap: null,
    currency: 'USD',
  } as const;
}

const all = { with_deleted: true, with_draft: true, with_total_count: false };
const first = { count: 3, ...all };

/** All names of a list, page by page; `between` runs after each page. */
async function walk(
  account: AccountStore,
  sort_by: string[],
  count: number,
  between?: (page: number) => Promise<unknown>,
) {
  const names: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 200; page++) {
    const read = await account.of(campaigns).list({ count, sort_by, cursor, ...all });
    names.push(...read.data.map((row) => row.name));
    if (read.next_cursor === null) return names;
    cursor = read.next_cursor;
    await between?.(page);
  }
  throw new Error('the list does not end');
}

describe("an account's store", () => {
  test("reads nothing of another account, even by that account's ids", async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()];
    const row = await theirs.write(actor, (writer) => writer.of(campaigns).insert(campaign('Theirs')));
    expect(await mine.of(campaigns).get(row.id)).toBeUndefined();
    expect((await mine.of(campaigns).list({ ...first, campaign_ids: [row.id] })).data).toEqual([]);
    expect((await theirs.of(campaigns).get(row.id))?.name).toBe('Theirs');
  });

  test('gives back what was stored, to the last digit', async () => {
    const account = await newAccount();
    const money = 2n ** 63n - 1n;
    const row = await account.write(actor, (writer) => writer.of(campaigns).insert(campaign('Ünï😀', money)));
    expect(await account.of(campaigns).get(row.id)).toEqual(row);
    expect(row.total_budget_amount_local_micro).toBe(money);
  });

  test('hands out increasing ids that are never used twice', async () => {
    const account = await newAccount();
    const rows = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        account.write(actor, (writer) => writer.of(campaigns).insert(campaign(`${i}`))),
      ),
    );
    const numbers = rows.map((row) => Number.parseInt(row.id, 36));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(50);
  });

  test('a write that fails leaves neither the entity nor a record of it', async () => {
    const account = await newAccount();
    const failed = account.write(actor, async (writer) => {
      await writer.of(campaigns).insert(campaign('Never'));
      throw new Error('on purpose');
    });
    await expect(failed).rejects.toThrow('on purpose');
    expect((await account.of(campaigns).list(first)).data).toEqual([]);
    const log = await world.ads.production.database.query(
      "SELECT count(*) FROM change_log WHERE entity_data LIKE '%Never%'",
    );
    expect(log[0]?.[0]).toBe(0n);
  });

  test('each change is recorded with who, when, what and the entity as it then was', async () => {
    const account = await newAccount();
    const made = await account.write(actor, (writer) => writer.of(campaigns).insert(campaign('Before', 5n)));
    clock.advance(60_000);
    await account.write(actor, (writer) => writer.of(campaigns).update(made, { name: 'After' }));
    const rows = await world.ads.production.database.query(
      'SELECT change_type, change_time, change_by_user_id, change_by_platform, changes, entity_data FROM change_log WHERE entity_id = ? ORDER BY seq',
      [made.id],
    );
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['CREATE', made.created_at, '7', 'API_OTHER'],
      ['UPDATE', new Date(Date.parse(made.created_at) + 60_000).toISOString().replace('.000', ''), '7', 'API_OTHER'],
    ]);
    expect(JSON.parse(String(rows[1]?.[4]))).toMatchObject({ name: { before: 'Before', after: 'After' } });
    const snapshot = JSON.parse(String(rows[1]?.[5]));
    expect(snapshot).toMatchObject({ name: 'After', total_budget_amount_local_micro: 5 });
    // Columns that only serve queries are not part of the campaign.
    for (const name of ['seq', 'name_folded', 'name_collated', 'line_item_count', 'flight_end'])
      expect(snapshot).not.toHaveProperty(name);
    expect(Object.keys(JSON.parse(String(rows[1]?.[4])))).toEqual(['name']);
  });

  test('a folded name finds by its beginning in any case, and no further', async () => {
    const account = await newAccount();
    await account.write(actor, async (writer) => {
      for (const name of ['Äpfel', 'äpfelchen', 'Apfel', 'a%b', 'a_b', 'Zebra'])
        await writer.of(campaigns).insert(campaign(name));
    });
    const find = async (q: string) =>
      (await account.of(campaigns).list({ ...first, count: 10, sort_by: ['name-asc'], q })).data.map((row) => row.name);
    expect(await find('ÄPF')).toEqual(['Äpfel', 'äpfelchen']);
    expect(await find('a%')).toEqual(['a%b']);
    expect(await find('a_')).toEqual(['a_b']);
    expect(await find('pfel')).toEqual([]);
  });

  test('a cursor of another order, or one that was never issued, is rejected', async () => {
    const account = await newAccount();
    await account.write(actor, async (writer) => {
      for (let i = 0; i < 5; i++) await writer.of(campaigns).insert(campaign(`${i}`));
    });
    const page = await account.of(campaigns).list({ ...first, sort_by: ['name-asc'] });
    const cursor = page.next_cursor ?? '';
    expect(cursor).not.toBe('');
    for (const wrong of [{ sort_by: ['name-desc'], cursor }, { cursor: 'nonsense' }]) {
      const rejected = async () => account.of(campaigns).list({ ...first, ...wrong });
      await expect(rejected).rejects.toMatchObject({ issues: [{ error: 'INVALID_PARAMETER', parameter: 'cursor' }] });
    }
  });
});

describe('pages', () => {
  const orders = [
    'created_at-asc',
    'created_at-desc',
    'name-asc',
    'name-desc',
    'total_budget_amount_local_micro-asc',
    'total_budget_amount_local_micro-desc',
    'total_budget_amount_local_micro-desc,name-asc',
    'deleted-asc,name-desc',
  ];
  const entity = fc.record({
    name: fc.constantFrom('a', 'B', 'b', 'ä', '😀', 'zz'),
    total: fc.option(fc.constantFrom(1n, 2n, 2n ** 60n)),
    later: fc.boolean(),
  });

  test('in any order and of any size together hold every row once, in the order of one big page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entity, { maxLength: 12 }),
        fc.constantFrom(...orders),
        fc.integer({ min: 1, max: 5 }),
        async (entities, order, count) => {
          const account = await newAccount();
          await account.write(actor, async (writer) => {
            let i = 0;
            for (const { name, total } of entities)
              await writer.of(campaigns).insert(campaign(`${name}${i++ % 3}`, total));
          });
          const whole = await walk(account, order.split(','), 1000);
          expect(whole).toHaveLength(entities.length);
          expect(await walk(account, order.split(','), count)).toEqual(whole);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('neither repeat nor skip a row while others are inserted and deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...orders),
        fc.integer({ min: 1, max: 4 }),
        fc.array(entity, { minLength: 4, maxLength: 12 }),
        async (order, count, entities) => {
          const account = await newAccount();
          const rows = await account.write(actor, async (writer) => {
            const made = [];
            for (const [i, { name, total }] of entities.entries())
              made.push(await writer.of(campaigns).insert(campaign(`${name} ${i}`, total)));
            return made;
          });
          const seen = await walk(account, order.split(','), count, async (page) => {
            // A list that grows at its end as fast as it is read has no end.
            if (page >= 5) return;
            await account.write(actor, (writer) => writer.of(campaigns).insert(campaign(`new ${page}`, 1n)));
          });
          const old = seen.filter((name) => !name.startsWith('new'));
          expect(new Set(old).size).toBe(old.length);
          expect(old.toSorted()).toEqual(rows.map((row) => row.name).toSorted());
        },
      ),
      { numRuns: 30 },
    );
  });

  test('count all matches on request, whatever the page contains', async () => {
    const account = await newAccount();
    await account.write(actor, async (writer) => {
      for (let i = 0; i < 7; i++) await writer.of(campaigns).insert(campaign(`${i}`));
    });
    const page = await account.of(campaigns).list({ ...all, count: 2, with_total_count: true });
    expect(page.total_count).toBe(7);
    expect(page.data).toHaveLength(2);
  });
});
