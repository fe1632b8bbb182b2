/** Nothing is left of people who were deleted but their ids, also where the deletion was interrupted. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import type { User } from '@broadside/core/resources/operator';
import { kept } from '@broadside/core/resources/users';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { MOST_OWNED } from '../identity/app-store.ts';
import { encodePng } from '../media/testing/images.ts';
import { World } from '../open-world.ts';
import { draftPost } from '../resources/draft-posts/find.ts';
import { exportPage } from '../resources/operator/export-person.ts';
import { findUser } from '../resources/users/find.ts';
import { ManualClock } from '../world/clock.ts';
import { SeededRandom } from '../world/random.ts';
import { namedPeople } from './held-on-people.ts';
import { DeletionBegunError } from './person-deletions.ts';

const ACTOR = { user_id: null, platform: 'OPERATOR' } as const;
const DAY = 86_400_000;
/** In all that the person gives, so that a search finds what is left of it. */
const MARK = 'zanzibar';

let directory: string;
let clock: ManualClock;
let world: World;

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'broadside-deletion-'));
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  world = await World.open({ dataDirectory: directory, clock, random: new SeededRandom('deletion') });
});
afterEach(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

const join = (screen_name: string, traits = {}): Promise<User> =>
  world.identity.users.create(ACTOR, { screen_name, name: screen_name, password: 'correct horse', traits });

const post = (author_id: string, text: string, more: object = {}) =>
  world.posts.create(ACTOR, {
    author_id,
    text,
    lang: 'en',
    source: 'test',
    possibly_sensitive: false,
    reply_settings: 'everyone',
    nullcast: false,
    ...more,
  });

const register = (owner: User, name: string) =>
  world.identity.apps.create(ACTOR, {
    owner_user_id: owner.id,
    name,
    description: '',
    callback_urls: [],
    sign_in_enabled: false,
    oob_enabled: true,
    access_level: 'write',
  });

/** A person with something of everything, and somebody else who has to do with them. */
async function people() {
  const leaver = await join(`${MARK}_x`, { email: `${MARK}@example.com` });
  const stayer = await join('stayer');
  await world.identity.users.update(ACTOR, leaver.id, { description: `I am ${MARK}`, password: 'another horse' });
  const blob = await world.media.receive(encodePng(4, 4));
  const facts = { owner_user_id: leaver.id, additional_owners: [], category: undefined, declared: 'image/png' };
  const picture = await world.media.create(facts, blob);
  await world.media.create(facts, await world.media.receive(encodePng(4, 4)));
  const own = await post(leaver.id, `${MARK} one`, { media_keys: [picture.media_key] });
  const removed = await post(leaver.id, `${MARK} two`);
  await world.posts.delete(ACTOR, removed);
  const theirs = await post(stayer.id, 'from somebody else');
  await world.posts.repost(ACTOR, { author_id: stayer.id, post_id: own, source: 'test' });
  await world.posts.repost(ACTOR, { author_id: leaver.id, post_id: theirs, source: 'test' });
  await post(leaver.id, `${MARK} answers`, { replied_to_id: theirs });
  await world.posts.like(ACTOR, leaver.id, theirs, true);
  await world.posts.like(ACTOR, stayer.id, own, true);
  await world.follows.follow(ACTOR, leaver.id, stayer.id);
  await world.follows.follow(ACTOR, stayer.id, leaver.id);
  const app = await register(leaver, `${MARK} app`);
  const token = await world.identity.tokens.issue(ACTOR, app, leaver, 'write');
  const other = await world.identity.tokens.issue(ACTOR, app, stayer, 'write');
  await world.sessions.begin(leaver.id);
  const account = await world.ads.production.createAccount(ACTOR, {
    name: 'Account',
    business_name: null,
    timezone: 'Europe/Oslo',
    user_id: leaver.id,
    features: [],
  });
  const draft = {
    name: null,
    text: `${MARK} drafts`,
    user_id: leaver.id,
    nullcast: true,
    card_uri: null,
    media_keys: [],
  };
  await world.ads.production
    .account(account.id)
    .write({ user_id: leaver.id, platform: 'API_OTHER' }, async (writer) => {
      const gone = await writer.of(draftPost).insert(draft, world.snowflakes.next());
      await writer.of(draftPost).purge(gone);
      await writer.of(draftPost).insert(draft, world.snowflakes.next());
    });
  await world.notifications.notifyDraft({
    user_id: leaver.id,
    environment: 'production',
    account_id: account.id,
    draft_post_id: '1',
    title: `${MARK} drafts`,
  });
  return { leaver, stayer, own, theirs, app, token, other, account, picture };
}

/** All rows of the stores as text. */
async function everything(): Promise<string> {
  const found: string[] = [];
  for (const store of ['platform.db', 'ads-production.db', 'ads-sandbox.db']) {
    const file = path.join(directory, store);
    const database = await openDatabase(file);
    const tables = await database.query("SELECT name FROM sqlite_schema WHERE type = 'table'");
    for (const [name] of tables) {
      const rows = await database.query(`SELECT * FROM "${String(name)}"`);
      found.push(...rows.map((row) => `${String(name)}: ${row.map(String).join(' ')}`));
    }
    await database.close();
  }
  return found.join('\n');
}

const left = async () => (await everything()).split('\n').filter((line) => line.toLowerCase().includes(MARK));

function blobs(): string[] {
  const files = readdirSync(path.join(directory, 'media'), { recursive: true, withFileTypes: true });
  return files.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function expectGone({ leaver, stayer, own, theirs, app, token, account }: Awaited<ReturnType<typeof people>>) {
  expect(await left()).toEqual([]);
  expect(blobs()).toEqual([]);
  expect(await world.identity.users.get(leaver.id)).toBeUndefined();
  // No account has used them.
  expect(await ask('platform.db', 'SELECT media_key FROM media')).toEqual([]);
  expect(await world.posts.get(BigInt(own))).toBeUndefined();
  expect(await world.posts.get(BigInt(theirs))).toMatchObject({
    public_metrics: { like_count: 0, reply_count: 0, repost_count: 0 },
  });
  expect(await world.identity.users.standing(stayer.id)).toMatchObject({
    followers_count: 0,
    following_count: 0,
    post_count: 1,
  });
  expect(await world.identity.apps.get(app.id)).toBeUndefined();
  expect(await world.identity.signing.find(app.consumer_key, token.access_token)).toBeUndefined();
  expect(await world.ads.production.members(account.id)).toEqual([]);
  expect((await world.ads.production.record(account.id))?.deleted).toBe(false);
  const { data } = await audit(leaver.id);
  expect(data[0]).toMatchObject({ change_type: 'DELETE', entity_data: { id: leaver.id, deleted: true } });
  expect(data.slice(1).every(({ entity_data }) => JSON.stringify(entity_data) === `{"id":"${leaver.id}"}`)).toBe(true);
}

async function audit(entity_id: string) {
  const page = await world.audit.list({ entity: 'USER', entity_id, count: 100 });
  if (!page) throw new TypeError('no page');
  return page;
}

test('nothing is left of a person after the time of grace but ids, and what others have stays', async () => {
  const made = await people();
  expect((await left()).length).toBeGreaterThan(10);
  const standing = await world.deletions.schedule(ACTOR, made.leaver.id, 30);
  expect(standing).toMatchObject({ suspended: true, delete_at: '2026-01-31T00:00:00Z' });
  expect(await world.sessions.count(made.leaver.id)).toBe(0);
  clock.advance(30 * DAY - 1000);
  await world.jobs.runDue();
  expect(await world.identity.users.get(made.leaver.id)).toBeDefined();
  clock.advance(1000);
  await world.jobs.runDue();
  await expectGone(made);
});

test('a deletion that is cancelled leaves all as it was, and one that is put off comes later', async () => {
  const made = await people();
  await world.deletions.schedule(ACTOR, made.leaver.id, 1);
  expect(await world.deletions.cancel(ACTOR, made.leaver.id)).toMatchObject({
    suspended: false,
    delete_at: null,
  });
  clock.advance(2 * DAY);
  await world.jobs.runDue();
  expect(await world.posts.get(BigInt(made.own))).toMatchObject({
    public_metrics: { like_count: 1 },
    protected: false,
  });
  await world.deletions.schedule(ACTOR, made.leaver.id, 1);
  await world.deletions.schedule(ACTOR, made.leaver.id, 3);
  clock.advance(2 * DAY);
  await world.jobs.runDue();
  expect(await world.identity.users.get(made.leaver.id)).toBeDefined();
  clock.advance(2 * DAY);
  await world.jobs.runDue();
  await expectGone(made);
});

test('a deletion that ends after any of its writes is gone on with, and counts nothing twice', async () => {
  const made = await people();
  await world.deletions.schedule(ACTOR, made.leaver.id, 0);
  let allowed = 0;
  let interruptions = 0;
  let write = vi.spyOn(Database.prototype, 'write');
  try {
    for (let rounds = 0; (await world.identity.users.get(made.leaver.id)) && rounds < 60; rounds++) {
      let writes = 0;
      write.mockRestore();
      const real = Database.prototype.write;
      // Each attempt gets one write further than the one before, and what it has written stays.
      write = vi.spyOn(Database.prototype, 'write').mockImplementation(function limited(this: Database, ...args) {
        if (++writes <= allowed) return real.apply(this, args);
        interruptions++;
        return Promise.reject(new Error('the process ended'));
      });
      allowed++;
      clock.advance(3_600_000 * 2);
      await world.jobs.runDue().catch(() => {});
      write.mockRestore();
    }
  } finally {
    write.mockRestore();
  }
  expect(interruptions).toBeGreaterThan(5);
  clock.advance(DAY);
  await world.jobs.runDue();
  await expectGone(made);
});

test('of more apps than are read at once, all are exported, and none is left', async () => {
  const { id } = await join('leaver').then(async (leaver) => {
    await Promise.all(Array.from({ length: MOST_OWNED + 1 }, (_, at) => register(leaver, `${MARK} ${at}`)));
    return leaver;
  });
  const names = new Set<unknown>();
  let cursor: string | undefined;
  do {
    const page = await exportPage(world, id, cursor);
    for (const { part, data } of page?.data ?? []) if (part === 'apps') names.add(data['name']);
    cursor = page?.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(names.size).toBe(MOST_OWNED + 1);
  await world.deletions.schedule(ACTOR, id, 0);
  await world.jobs.runDue();
  expect(await left()).toEqual([]);
});

/** Does something when the posts of a person are deleted, which is after their access to accounts has ended. */
function meanwhile(act: () => Promise<void>) {
  const erase = world.posts.erase.bind(world.posts);
  const spy = vi.spyOn(world.posts, 'erase').mockImplementationOnce(async (...args) => {
    await act();
    await erase(...args);
  });
  onTestFinished(() => spy.mockRestore());
  return spy;
}

test('a deletion that has begun is neither cancelled nor put off', async () => {
  const made = await people();
  await world.deletions.schedule(ACTOR, made.leaver.id, 0);
  expect(await world.deletions.hasBegun(made.leaver.id)).toBe(false);
  const spy = meanwhile(async () => {
    expect(await world.deletions.hasBegun(made.leaver.id)).toBe(true);
    await expect(world.deletions.cancel(ACTOR, made.leaver.id)).rejects.toThrow(DeletionBegunError);
    await expect(world.deletions.schedule(ACTOR, made.leaver.id, 0)).rejects.toThrow(DeletionBegunError);
    await expect(world.deletions.schedule(ACTOR, made.leaver.id, 9)).rejects.toThrow(DeletionBegunError);
  });
  await world.jobs.runDue();
  expect(spy).toHaveBeenCalled();
  await expectGone(made);
  expect(await world.deletions.hasBegun(made.leaver.id)).toBe(false);
});

test('a deletion that is cancelled before it begins deletes nothing, also where its job runs already', async () => {
  const made = await people();
  await world.deletions.schedule(ACTOR, made.leaver.id, 0);
  const before = await left();
  // The job is due; the cancellation comes before the write that marks its beginning.
  const real = Database.prototype.write;
  const write = vi.spyOn(Database.prototype, 'write').mockImplementationOnce(async function late(
    this: Database,
    ...args
  ) {
    await world.deletions.cancel(ACTOR, made.leaver.id);
    return real.apply(this, args);
  });
  onTestFinished(() => write.mockRestore());
  await world.jobs.runDue();
  expect(await world.identity.users.standing(made.leaver.id)).toMatchObject({ delete_at: null, suspended: false });
  expect((await left()).length).toBeGreaterThanOrEqual(before.length - 1);
  expect(await world.ads.production.members(made.account.id)).toHaveLength(1);
});

test('nobody is given anything once their deletion has begun, and what was on its way goes too', async () => {
  const made = await people();
  const { account, leaver } = made;
  await world.deletions.schedule(ACTOR, leaver.id, 0);

  expect(await findUser(rejectWithAny, world, leaver.id, 'user_id')).toMatchObject({ id: leaver.id });
  meanwhile(async () => {
    await expect(findUser(rejectWithAny, world, leaver.id, 'user_id')).rejects.toThrow('has begun');
    await world.ads.production.grant(ACTOR, account.id, leaver.id, ['ACCOUNT_ADMIN']);
  });
  await world.jobs.runDue();
  await expectGone(made);
});

test('an app whose deletion is cancelled while its job runs stays', async () => {
  const { app } = await people();
  await world.appDeletions.schedule(ACTOR, app.id, 0);
  const { apps } = world.identity;
  const remove = apps.delete.bind(apps);
  const spy = vi.spyOn(apps, 'delete').mockImplementationOnce(async (...args) => {
    await apps.setStanding(ACTOR, app.id, kept);
    return remove(...args);
  });
  onTestFinished(() => spy.mockRestore());
  await world.jobs.runDue();
  expect(spy).toHaveBeenCalled();
  expect(await apps.standing(app.id)).toMatchObject({ delete_at: null, suspended: false });
});

/** Tables that name nobody. */
const withoutPeople = {
  platform: [
    'audience_keepers',
    'audience_state',
    'bearer_tokens',
    'fault_rules',
    'held_promotions',
    'jobs',
    'joint_writes',
    'leases',
    'media_segments',
    'moderated_posts',
    'platform_facts',
    'platform_keys',
    'polls',
    'publications',
    'sequences',
    'servers',
    'world_time',
  ],
  advertising: [
    'account_apps',
    'account_features',
    'account_media',
    'account_shards',
    'account_work',
    'accounts',
    'audience_grants',
    'audience_leaves',
    'businesses',
    'campaigns',
    'cards',
    'custom_audiences',
    'do_not_reach_lists',
    'funding_instruments',
    'image_conversation_cards',
    'library_media',
    'library_terms',
    'line_item_curated_categories',
    'list_counts',
    'list_names',
    'media_creatives',
    'moved_changes',
    'poll_cards',
    'promoted_posts',
    'sequences',
    'shards',
    'sharing_accounts',
    'targeting_criteria',
    'video_conversation_cards',
  ],
};

/** Names of columns that may hold ids of people. */
const OF_PEOPLE = /(?:^|_)(?:user|author|follower|followed|contributor|publisher|owner|person)s?(?:_user)?(?:_ids?)?$/;
/** Columns of such names that hold something else: a server that has a lease. */
const OTHERS = ['leases.owner'];
const files = { platform: ['platform.db'], advertising: ['ads-production.db', 'ads-sandbox.db'] } as const;

/** Asks a store of the world while it is open. */
async function ask(file: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const database = await openDatabase(path.join(directory, file));
  try {
    return await database.query(sql);
  } finally {
    await database.close();
  }
}

test('each table is told to name people or not, and each column that does is told to go with them or not', async () => {
  for (const store of ['platform', 'advertising'] as const) {
    const found = await ask(
      files[store][0],
      `SELECT m."name", c."name" FROM sqlite_schema AS m, pragma_table_info(m."name") AS c
        WHERE m."type" = 'table' AND m."name" NOT GLOB 'sqlite_*' AND m."name" NOT GLOB '__*'`,
    );
    const tables = [...new Set(found.map(([table]) => String(table)))].toSorted();
    const told = namedPeople[store];
    expect([...Object.keys(told), ...withoutPeople[store]].toSorted()).toEqual(tables);
    const columns = found.map(([table, column]) => `${table}.${column}`);
    const toldColumns = Object.entries(told).flatMap(([table, { deleted = [], kept: stay = {} }]) =>
      [...deleted, ...Object.keys(stay)].map((column) => `${table}.${column}`),
    );
    expect(toldColumns.filter((name) => !columns.includes(name))).toEqual([]);
    const named = columns.filter((name) => OF_PEOPLE.test(name.split('.')[1] ?? '') && !OTHERS.includes(name));
    expect(named.filter((name) => !toldColumns.includes(name))).toEqual([]);
  }
});

test('rows that are told to go with a person do', async () => {
  const { leaver } = await people();
  const held = async () => {
    const found: string[] = [];
    for (const store of ['platform', 'advertising'] as const) {
      for (const [table, { deleted = [] }] of Object.entries(namedPeople[store])) {
        for (const file of files[store]) {
          const conditions = deleted.map((column) => `CAST("${column}" AS TEXT) = '${leaver.id}'`);
          if (conditions.length === 0) continue;
          const [row] = await ask(file, `SELECT count(*) FROM "${table}" WHERE ${conditions.join(' OR ')}`);
          if (Number(row?.[0]) > 0) found.push(table);
        }
      }
    }
    return [...new Set(found)].toSorted();
  };
  // Votes, request tokens and scheduled posts are made by other tests; all others are of this person.
  const ofOthers = ['poll_votes', 'request_tokens', 'scheduled_posts'];
  const all = Object.values(namedPeople).flatMap((tables) =>
    Object.entries(tables).flatMap(([table, { deleted }]) => (deleted ? [table] : [])),
  );
  expect(await held()).toEqual(all.filter((table) => !ofOthers.includes(table)).toSorted());
  await world.deletions.schedule(ACTOR, leaver.id, 0);
  await world.jobs.runDue();
  expect(await held()).toEqual([]);
});
