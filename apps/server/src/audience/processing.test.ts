/** Processing, on a kind of entity that exists here only. Members are a number that grows with each append. */
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Segment } from '@broadside/core/resources/custom-audiences';
import { sqliteTable } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { accountKey, flag, int, json, systemColumns } from '../db/columns.ts';
import type { Database } from '../db/database.ts';
import { defineEntity } from '../db/entity.ts';
import { EntityRegistry } from '../db/entity-registry.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { Jobs } from '../jobs/jobs.ts';
import { packageFile } from '../package-file.ts';
import { AdsStore } from '../world/ads-store.ts';
import { insertLeaf } from '../world/audience-leaves.ts';
import { ManualClock } from '../world/clock.ts';
import { SeededRandom } from '../world/random.ts';
import { leavesOf } from './members/member-tree.ts';
import { AudienceProcessing } from './processing.ts';
import type { ProcessingProfile } from './processing-profiles.ts';

const crowds = sqliteTable(
  'crowds',
  {
    ...systemColumns(),
    segments: json<Segment>('segments'),
    processing: flag('processing').notNull(),
    matched_count: int('matched_count'),
    size_offset: int('size_offset').notNull(),
  },
  (table) => [accountKey(table)],
);
const crowd = defineEntity({
  name: 'CROWD',
  table: crowds,
  missing: { error: 'NOT_FOUND', parameter: 'crowd_id' },
  derived: { processing: true, matched_count: null, size_offset: 0 },
});
const entities = new EntityRegistry([crowd]);
const actor = { user_id: '7', platform: 'API_OTHER' } as const;

let platform: Database;
let database: Database;
let clock: ManualClock;
let ads: AdsStore;
let jobs: Jobs;
let processing: AudienceProcessing;
let account_id: string;
/** Members by id of the audience. */
let members: Map<string, number>;
let counted: number;
/** Audiences that were waited for, and dropped. */
let settled: string[];
let dropped: string[];
let until_s: number | undefined;
/** Called while an audience is counted, after its members were read. */
let whileCounting: (id: string) => Promise<void>;

beforeEach(async () => {
  const directory = temporaryDirectory();
  platform = await openDatabase(path.join(directory, 'platform.db'));
  database = await openDatabase(path.join(directory, 'ads.db'));
  await migrate(platform, packageFile('drizzle/platform'), new Date(0));
  await migrate(database, packageFile('drizzle/ads'), new Date(0));
  await database.applyMigration([
    {
      sql: `CREATE TABLE "crowds" ("account_id" text, "id" text, "seq" integer, "created_at" text, "updated_at" text,
        "deleted" integer, "segments" text, "processing" integer, "matched_count" integer, "size_offset" integer)`,
    },
  ]);
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  members = new Map();
  counted = 0;
  settled = [];
  dropped = [];
  until_s = undefined;
  whileCounting = async () => {};
  start();
  const fields = { name: 'Acme', business_name: null, timezone: 'UTC', user_id: '7', features: [] };
  ({ id: account_id } = await ads.createAccount(actor, fields));
});

/** Starts what a process holds in memory, as after a crash too. */
function start(profile: ProcessingProfile = 'fast'): void {
  ads = new AdsStore({
    database,
    clock,
    random: new SeededRandom('c'),
    entities,
    furnish: async () => {},
    cache: true,
  });
  jobs = new Jobs({ database: platform, clock });
  processing = new AudienceProcessing({
    database: platform,
    clock,
    jobs,
    ads: { production: ads, sandbox: ads },
    entities,
    profile,
    key: 'the key of the platform',
    faults: { armed: false, later: async () => undefined },
    members: {
      settle: async (audience) => {
        settled.push(audience);
      },
      async countActive(tree) {
        counted++;
        const ids = leavesOf(tree).map(({ audience }) => audience.slice('production/'.length));
        const count = ids.reduce((sum, id) => sum + (members.get(id) ?? 0), 0);
        await whileCounting(ids[0] ?? '');
        return { count, until_s };
      },
      drop: async (audience) => {
        dropped.push(audience);
      },
    },
  });
}

const name = () => ({ environment: 'production', account_id }) as const;
const create = () =>
  processing.creation(
    name(),
    () => ads.account(account_id).write(actor, (writer) => writer.of(crowd).insert({ segments: null })),
    ({ id }) => [id],
  );
const append = (id: string, count = 1) =>
  processing.intake({ ...name(), id }, async () => {
    await nextTurn();
    members.set(id, (members.get(id) ?? 0) + count);
    await nextTurn();
  });
const state = async (id: string) => {
  const row = await ads.account(account_id).of(crowd).get(id);
  return row && [row.processing, row.matched_count];
};
const subjects = async () =>
  (await platform.query('SELECT "subject" FROM "jobs" ORDER BY "id"')).map(([subject]) => String(subject));

async function processed(): Promise<string> {
  const { id } = await create();
  clock.advance(1000);
  await jobs.runDue();
  return id;
}

test('a new audience is processed after a second, and has nobody then', async () => {
  const { id } = await create();
  await jobs.runDue();
  expect(await state(id)).toEqual([true, null]);
  clock.advance(1000);
  await jobs.runDue();
  expect(await state(id)).toEqual([false, 0]);
  expect(await subjects()).toEqual([]);
});

test('the documented profile waits for six hours', async () => {
  start('documented');
  const { id } = await create();
  clock.advance(6 * 3_600_000 - 1);
  await jobs.runDue();
  expect(await state(id)).toEqual([true, null]);
  clock.advance(1);
  await jobs.runDue();
  expect(await state(id)).toEqual([false, 0]);
});

test('an audience whose creation fails leaves nothing to do', async () => {
  const failed = processing.creation(
    name(),
    async () => {
      throw new Error('no');
    },
    () => [],
  );
  await expect(failed).rejects.toThrow('no');
  clock.advance(1000);
  await jobs.runDue();
  expect(await subjects()).toEqual([]);
});

test('the creation of an audience that takes longer than the delay is not missed', async () => {
  let created = '';
  await processing.creation(
    name(),
    async () => {
      clock.advance(1000);
      await jobs.runDue();
      ({ id: created } = await ads
        .account(account_id)
        .write(actor, (writer) => writer.of(crowd).insert({ segments: null })));
    },
    () => [created],
  );
  clock.advance(1000);
  await jobs.runDue();
  expect(await state(created)).toEqual([false, 0]);
});

test('new members have an audience processed again, by one job however many requests bring them', async () => {
  const id = await processed();
  await Promise.all([append(id), append(id), append(id)]);
  await append(id);
  expect(await state(id)).toEqual([true, 0]);
  expect(await subjects()).toEqual([`production/${account_id}/${id}`]);
  clock.advance(1000);
  expect(await jobs.runDue()).toBe(1);
  expect(await state(id)).toEqual([false, 4]);
  expect(await subjects()).toEqual([]);
});

test('an audience with a job of its own is left to it, and the count of another audience does not change', async () => {
  const { id } = await create();
  clock.advance(500);
  await append(id, 3);
  const { id: other } = await create();
  clock.advance(500);
  await jobs.runDue();
  expect([await state(id), await state(other)]).toEqual([
    [true, null],
    [false, 0],
  ]);
  clock.advance(500);
  await jobs.runDue();
  expect([await state(id), await state(other)]).toEqual([
    [false, 3],
    [false, 0],
  ]);
});

test('members that come while an audience is counted leave it processing, with a further job', async () => {
  const id = await processed();
  await append(id);
  clock.advance(1000);
  whileCounting = () => append(id);
  await jobs.runDue();
  whileCounting = async () => {};
  expect(await state(id)).toEqual([true, 1]);
  clock.advance(1000);
  await jobs.runDue();
  expect(await state(id)).toEqual([false, 2]);
});

test('members that are being appended while an audience is counted are counted later', async () => {
  const id = await processed();
  await processing.intake({ ...name(), id }, async () => {
    clock.advance(1000);
    await jobs.runDue();
    members.set(id, 5);
  });
  expect(await state(id)).toEqual([true, 0]);
  clock.advance(1000);
  await jobs.runDue();
  expect(await state(id)).toEqual([false, 5]);
});

test.for(['job', 'column', 'append', 'count'] as const)(
  'a process that ends after the %s loses nothing',
  async (last) => {
    const id = await processed();
    if (last === 'job') {
      // The column is set after the job: without it the audience is counted all the same.
      await append(id);
      await database.write((writer) => writer.run('UPDATE crowds SET processing = 0'));
    } else if (last === 'column') {
      await processing.intake({ ...name(), id }, () => Promise.reject(new Error('the end'))).catch(() => {});
      members.set(id, 1);
    } else await append(id);
    if (last === 'count') {
      // The job ends before its row is removed.
      clock.advance(1000);
      const running = jobs.runDue();
      whileCounting = () => new Promise(() => {});
      await Promise.race([running, nextTurn()]);
      whileCounting = async () => {};
    }
    start();
    clock.advance(1000);
    await jobs.runDue();
    expect(await state(id)).toEqual([false, 1]);
    expect(await subjects()).toEqual([]);
  },
);

test('a job for an audience that is gone counts nothing', async () => {
  const id = await processed();
  await append(id);
  const before = counted;
  await ads.account(account_id).write(actor, async (writer) => {
    const row = await writer.of(crowd).get(id);
    if (row) await writer.of(crowd).delete(row);
  });
  clock.advance(1000);
  await jobs.runDue();
  expect([counted, await subjects()]).toEqual([before, []]);
});

test('an audience is counted when everything that was acknowledged is merged', async () => {
  const id = await processed();
  expect(settled).toEqual([`production/${id}`]);
});

test('the members of a deleted audience are removed at once, also by a process that comes after', async () => {
  for (const ends of [false, true]) {
    start('documented');
    const { id } = await create();
    await append(id);
    const remove = () =>
      ads.account(account_id).write(actor, async (writer) => {
        const row = await writer.of(crowd).get(id);
        if (row) await writer.of(crowd).delete(row);
        clock.advance(ends ? 0 : 1);
      });
    await processing.deletion(name(), [id], remove);
    if (ends) start('documented');
    await jobs.runDue();
    expect(dropped).toEqual([`production/${id}`]);
    dropped = [];
  }
});

test('the members of all audiences of a deleted account are removed, those that were being deleted too', async () => {
  const [one, two] = [await processed(), await processed()];
  const failed = processing.accountDeletion(name(), () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  await jobs.runDue();
  expect(dropped).toEqual([]);
  await append(two);
  await processing.accountDeletion(name(), () => ads.updateAccount(actor, account_id, () => ({ deleted: true })));
  start();
  await jobs.runDue();
  expect(dropped.sort()).toEqual([`production/${one}`, `production/${two}`].sort());
  clock.advance(1000);
  await jobs.runDue();
  expect([dropped.at(-1), await subjects()]).toEqual([`production/${two}`, []]);
});

test('a deletion that is stored is not told as a failure where its members cannot be removed at once; they are later', async () => {
  const id = await processed();
  await append(id);
  const remove = () =>
    ads.account(account_id).write(actor, async (writer) => {
      const row = await writer.of(crowd).get(id);
      if (row) await writer.of(crowd).delete(row);
      vi.spyOn(jobs, 'put').mockRejectedValueOnce(new Error('the platform store is away'));
      return row?.id;
    });
  expect(await processing.deletion(name(), [id], remove)).toBe(id);
  clock.advance(1000);
  await jobs.runDue();
  expect(dropped).toEqual([`production/${id}`]);
});

test('a deletion that fails removes nothing', async () => {
  const id = await processed();
  const failed = processing.deletion(name(), [id], () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  clock.advance(1000);
  await jobs.runDue();
  expect([dropped, await state(id)]).toEqual([[], [false, 0]]);
});

test('a flexible audience is processed when it is created, and after each of its leaves', async () => {
  const leaf = await processed();
  const other = await processed();
  const segments: Segment = {
    boolean_operator: 'OR',
    frequency: 1,
    frequency_comparator: 'NUM_GTE',
    negate: false,
    child_segments: [leaf, other].map((custom_audience_id) => ({
      custom_audience_id,
      frequency: 1,
      frequency_comparator: 'NUM_GTE',
      negate: false,
      child_segments: [],
    })),
  };
  const { id } = await processing.creation(
    name(),
    () =>
      ads.account(account_id).write(actor, async (writer) => {
        const row = await writer.of(crowd).insert({ segments });
        for (const leaf_id of [leaf, other]) await writer.run(insertLeaf, { leaf_id, custom_audience_id: row.id });
        return row;
      }),
    (row) => [row.id],
  );
  settled = [];
  clock.advance(1000);
  await jobs.runDue();
  expect([await state(id), settled]).toEqual([
    [false, 0],
    [`production/${leaf}`, `production/${other}`],
  ]);
  await append(leaf, 3);
  await append(other, 4);
  clock.advance(1000);
  await jobs.runDue();
  expect(await state(id)).toEqual([false, 7]);
  expect(await subjects()).toEqual([]);
});

const offsetOf = async (id: string) => (await ads.account(account_id).of(crowd).get(id))?.size_offset ?? Number.NaN;

test('what other accounts see of a size is blurred anew after each upload, and not when it is only counted again', async () => {
  const id = await processed();
  await append(id, 500);
  const offsets: number[] = [];
  for (let i = 0; i < 12; i++) {
    // An upload that changes nothing is not to be seen as one.
    await append(id, 0);
    clock.advance(1000);
    until_s = clock.now() / 1000;
    await jobs.runDue();
    offsets.push(await offsetOf(id));
  }
  expect(new Set(offsets).size).toBeGreaterThan(3);
  expect(Math.max(...offsets.map(Math.abs))).toBeLessThanOrEqual(10);
  expect(await state(id)).toEqual([false, 500]);
  const before = counted;
  clock.advance(3_600_000);
  until_s = undefined;
  await jobs.runDue();
  expect([counted, await offsetOf(id)]).toEqual([before + 1, offsets.at(-1)]);
});

test('an account is not told exactly how many people of an audience of another one are in its flexible audience', async () => {
  const own = await processed();
  const terms = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false } as const;
  const over = (...leaves: string[]): Segment => ({
    boolean_operator: 'OR',
    ...terms,
    child_segments: leaves.map((custom_audience_id) => ({ custom_audience_id, ...terms, child_segments: [] })),
  });
  members.set('others', 500);
  members.set(own, 500);
  const sizes = async (segments: Segment) => {
    const found = new Set<number | null>();
    for (let i = 0; i < 12; i++) {
      const { id } = await processing.creation(
        name(),
        () => ads.account(account_id).write(actor, (writer) => writer.of(crowd).insert({ segments })),
        (row) => [row.id],
      );
      clock.advance(1000);
      await jobs.runDue();
      found.add((await ads.account(account_id).of(crowd).get(id))?.matched_count ?? null);
    }
    return found;
  };
  expect(await sizes(over(own))).toEqual(new Set([500]));
  const blurred = await sizes(over(own, 'others'));
  expect(blurred.size).toBeGreaterThan(3);
  for (const size of blurred) expect(Math.abs((size ?? 0) - 1000)).toBeLessThanOrEqual(100);
});

test('an audience is counted again when its count may have become another one, at most once an hour', async () => {
  const id = await processed();
  await append(id, 5);
  clock.advance(1000);
  until_s = clock.now() / 1000 + 7200;
  await jobs.runDue();
  members.set(id, 4);
  clock.advance(7_200_000 - 1);
  expect(await jobs.runDue()).toBe(0);
  clock.advance(1);
  until_s = clock.now() / 1000 + 1;
  await jobs.runDue();
  expect(await state(id)).toEqual([false, 4]);
  members.set(id, 3);
  clock.advance(3_600_000 - 1);
  expect(await jobs.runDue()).toBe(0);
  clock.advance(1);
  until_s = undefined;
  await jobs.runDue();
  expect([await state(id), await subjects()]).toEqual([[false, 3], []]);
});

test('however requests and jobs interleave, everything is counted in the end, and nothing is left processing', async () => {
  const step = fc.record({ turns: fc.nat(6), kind: fc.constantFrom('append', 'append', 'run', 'count slowly') });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
      const id = await processed();
      const turns = async (count: number) => {
        for (let i = 0; i < count; i++) await nextTurn();
      };
      let slow = 0;
      whileCounting = () => turns(slow);
      const running: Promise<unknown>[] = [];
      for (const { kind, turns: wait } of steps) {
        await turns(wait);
        clock.advance(400);
        if (kind === 'append') running.push(append(id));
        else if (kind === 'run') running.push(jobs.runDue());
        else slow = wait;
      }
      await Promise.all(running);
      // While a call runs, a job adds another; the last of them ends it.
      for (let i = 0; i < 3; i++) {
        clock.advance(1000);
        await jobs.runDue();
      }
      const appended = steps.filter(({ kind }) => kind === 'append').length;
      expect([await state(id), await subjects()]).toEqual([[false, appended], []]);
    }),
    { numRuns: 60 },
  );
});
